import { type Database, readReplayPage, type ReplayRow } from '@kiln/database';

/** Completions read at a time. */
const PAGE = 1024;

/** The completions of a run in suite order, page by page; one page is held at a time, and no connection between them. */
export async function* replayPages(db: Database, run: { runId: string; suiteVersionId: string }): AsyncGenerator<ReplayRow[]> {
  let after: { ordinal: number; completionIndex: number } | null = null;
  for (;;) {
    const rows: ReplayRow[] = await readReplayPage(db, { ...run, after, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { ordinal: last.ordinal, completionIndex: last.completionIndex };
  }
}

/** The same one by one. */
export async function* replayRows(db: Database, run: { runId: string; suiteVersionId: string }): AsyncGenerator<ReplayRow> {
  for await (const page of replayPages(db, run)) yield* page;
}
