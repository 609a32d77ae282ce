import { type ReplayRecordHeader } from '@kiln/contracts';
import { type Database, readExamplesAt, type RepeatableJob, type RepeatableRun } from '@kiln/database';
import { canonicalJson, lineText } from '@kiln/provenance';
import { exampleSettingsLine, storedCompletionLine } from './record-lines.js';
import { replayPages } from './replay-rows.js';
import { ScorerIdentities } from './scorer-identities.js';

/**
 * A replay record as text: the frozen header, then for each example its content, its settings and its completions, one line of
 * canonical JSON each. Made from the rows as they are stored now, a page at a time: lines that no longer give the digests of the
 * header show that rows were changed.
 */
export async function* replayRecordText(
  db: Database,
  job: RepeatableJob,
  run: RepeatableRun & { replayRecord: ReplayRecordHeader },
): AsyncGenerator<string> {
  yield `${canonicalJson(run.replayRecord)}\n`;
  const scorers = new ScorerIdentities(db);
  let ordinal = -1;
  let index = 0;
  for await (const page of replayPages(db, { runId: run.id, suiteVersionId: job.suiteVersionId })) {
    await scorers.load(page.map(({ scorerId }) => scorerId));
    const ordinals = [...new Set(page.map((row) => row.ordinal))];
    const examples = await readExamplesAt(db, job.suiteVersionId, ordinals);
    const byOrdinal = new Map(ordinals.map((at, place) => [at, examples[place]!]));
    const lines: string[] = [];
    for (const row of page) {
      if (row.ordinal !== ordinal) {
        ordinal = row.ordinal;
        lines.push(`${canonicalJson({ type: 'example', example: byOrdinal.get(ordinal) })}\n`);
        lines.push(
          lineText(exampleSettingsLine(job, { key: row.exampleKey, generation: row.exampleGeneration }, scorers.get(row.scorerId))),
        );
      }
      const line = storedCompletionLine(job, row, index);
      index += 1;
      if (line !== null) lines.push(lineText(line));
    }
    yield lines.join('');
  }
}
