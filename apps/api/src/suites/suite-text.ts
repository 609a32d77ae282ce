import { type Database, readSuiteExamples, type SuiteVersion } from '@kiln/database';
import { suiteSummary } from './suite-summary.js';

const PAGE = 200;

/**
 * A stored suite as text, page by page: one JSON document with its summary and its proof last, or the lines that registering reads.
 * A version never changes, so the pages fit together however long the reader takes.
 */
export async function* suiteText(db: Database, version: SuiteVersion, format: 'json' | 'jsonl'): AsyncGenerator<string> {
  const header = JSON.stringify(version.header);
  yield format === 'json' ? `${header.slice(0, -1)},"examples":[` : `${header}\n`;
  let after = -1;
  for (;;) {
    const examples = await readSuiteExamples(db, { versionId: version.id, after, limit: PAGE });
    if (examples.length === 0) break;
    const texts = examples.map((example) => JSON.stringify(example));
    yield format === 'json' ? `${after < 0 ? '' : ','}${texts.join(',')}` : `${texts.join('\n')}\n`;
    after += examples.length;
  }
  if (format === 'json')
    yield `],"summary":${JSON.stringify(suiteSummary(version))},"scorer_proof":${JSON.stringify(version.scorerProof)}}`;
}
