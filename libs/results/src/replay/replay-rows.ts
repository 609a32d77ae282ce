import { type Database, readReplayPage, type ReplayRow } from '@kiln/database';

/** Completions read at a time. */
const PAGE = 1024;

/**
 * The completions of a run in suite order, page by page. Each is read while the one before it is worked on, so two are held at a
 * time, and no connection between them.
 */
export async function* replayPages(db: Database, run: { runId: string; suiteVersionId: string }): AsyncGenerator<ReplayRow[]> {
  let ahead = readReplayPage(db, { ...run, after: null, limit: PAGE });
  for (;;) {
    const rows = await ahead;
    const last = rows.at(-1);
    if (last === undefined) return;
    ahead = readReplayPage(db, { ...run, after: { ordinal: last.ordinal, completionIndex: last.completionIndex }, limit: PAGE });
    // Whoever works on `rows` may fail first; this page's own failure then has nobody to tell.
    ahead.catch(() => undefined);
    yield rows;
  }
}

/** The same one by one. */
export async function* replayRows(db: Database, run: { runId: string; suiteVersionId: string }): AsyncGenerator<ReplayRow> {
  for await (const page of replayPages(db, run)) yield* page;
}
