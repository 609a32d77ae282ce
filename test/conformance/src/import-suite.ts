import { type Scorer } from '@kiln/contracts';
import { compileScorerCheck } from '@kiln/scoring';
import { effectiveScorer, parseSuiteFiles, type ParsedSuite } from '@kiln/suites';
import { type ReadExample, type SuiteDataSet } from './data-set.js';
import { readLines } from './read-lines.js';

export interface ImportedSuite {
  readonly rows: number;
  /** Why rows are no examples, and how many. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly examples: readonly ReadExample[];
  /** Lines that are no rows: `line 7` and what is wrong. */
  readonly flaws: readonly { readonly at: string; readonly message: string }[];
  /** null when there is nothing to import. */
  readonly suite: ParsedSuite | null;
  readonly scorerKinds: readonly string[];
}

/**
 * Reads a data set into a suite, and the suite as registration does: through the parser of a header and JSONL, with every scorer
 * compiled and every target checked.
 *
 * @throws {KilnError} when it is refused
 */
export function importSuite(dataSet: SuiteDataSet, text: string): ImportedSuite {
  const lines = readLines(text);
  const leftOut = new Map<string, number>();
  const flaws: { at: string; message: string }[] = [];
  const examples: ReadExample[] = [];
  for (const { line, value, flaw } of lines) {
    if (flaw !== undefined) {
      flaws.push({ at: `line ${line}`, message: flaw });
      continue;
    }
    const read = dataSet.read(value, line);
    if ('leftOut' in read) leftOut.set(read.leftOut, (leftOut.get(read.leftOut) ?? 0) + 1);
    else examples.push(...read);
  }
  const header = { schema_version: 2, ...dataSet.header, name: dataSet.name, default_scorer: dataSet.scorer };
  const jsonl = examples.map(({ example }) => JSON.stringify(example)).join('\n');
  const suite = examples.length === 0 ? null : parseSuiteFiles(JSON.stringify(header), jsonl, { compileScorerCheck });
  return { rows: lines.length, leftOut, examples, flaws, suite, scorerKinds: suite === null ? [] : kindsOf(suite) };
}

function kindsOf({ header, examples }: ParsedSuite): string[] {
  return [...new Set(examples.flatMap((example) => leafKinds(effectiveScorer(header, example))))].toSorted();
}

/** Composites are named by what they hold. */
function leafKinds(scorer: Scorer): string[] {
  return scorer.kind === 'all' || scorer.kind === 'any' ? scorer.scorers.flatMap(leafKinds) : [scorer.kind];
}
