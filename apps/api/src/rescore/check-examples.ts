import { KilnError } from '@kiln/contracts';
import { type Database, readExamplesAt } from '@kiln/database';
import { type ScorerCheck } from '@kiln/scoring';
import { spreadOrdinals } from './spread-ordinals.js';

/** Examples that are read for one rescore: of a larger suite, evenly spaced ones. It bounds the time that a request takes. */
const MAX_CHECKED = 1_000;
/** Examples are as large as people make them: few are held at a time. */
const PAGE = 100;

/**
 * Refuses scorers that cannot grade the examples whose answers they would score again, as registration does for a suite's own.
 *
 * @param checks one a scorer, in the order of the request
 * @param ordinals the examples that were evaluated; null = all
 * @throws KilnError `eval_invalid_request` that names the scorer and the first example that it cannot grade
 */
export async function checkExamples(
  db: Database,
  { suiteVersionId, exampleCount }: { suiteVersionId: string; exampleCount: number },
  ordinals: readonly number[] | null,
  checks: readonly ScorerCheck[],
): Promise<void> {
  const checked = spreadOrdinals(ordinals?.length ?? exampleCount, MAX_CHECKED).map((place) => ordinals?.[place] ?? place);
  for (let start = 0; start < checked.length; start += PAGE) {
    const examples = await readExamplesAt(db, suiteVersionId, checked.slice(start, start + PAGE));
    for (const [index, example] of examples.entries()) {
      const at = `examples[${checked[start + index]}]`;
      for (const [scorer, check] of checks.entries()) refuseWith(`scorers[${scorer}]`, example.id, () => check(example, at));
    }
  }
}

function refuseWith(path: string, exampleId: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof KilnError)) throw error;
    throw new KilnError(error.code, `${path}: cannot grade the example ${JSON.stringify(exampleId)}: ${error.message}`, {
      path,
      hint: 'Rescore with a scorer that needs nothing else of the suite’s examples, or register the suite with what it needs and run it.',
    });
  }
}
