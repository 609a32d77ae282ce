import { z } from 'zod';
import { Text, nonBlankText } from '../scalars/text.js';
import { Scorer } from '../scorer/scorer.js';
import { Tool } from '../tool.js';
import { Aggregation } from './aggregation.js';
import { Example } from './example.js';
import { Generation } from './generation.js';
import { SuiteName } from './suite-name.js';

const header = {
  name: SuiteName,
  description: Text.nullable().default(null),
  schema_version: z.union([z.literal(1), z.literal(2)], { error: 'must be 1 or 2; write 2 for a new suite' }).default(1),
  default_scorer: Scorer,
  generation: Generation.prefault(() => ({})),
  aggregation: Aggregation.prefault({ kind: 'single' }),
  system_prompt: Text.nullable().default(null),
  tools: z.array(Tool).nullable().default(null),
  /** Absent stays absent: a null would change the hash of every suite that has none. */
  scorer_waiver: nonBlankText(2000)
    .exactOptional()
    .meta({ description: 'Why this suite may gate although its scorers accept answers that are known to be wrong.' }),
};

/** A suite without its examples: the first line of a streamed upload, or the header file beside `examples.jsonl`. */
export const SuiteHeader = z.object(header).check(checkVersionOne).meta({ id: 'SuiteHeader' });
export type SuiteHeader = z.output<typeof SuiteHeader>;

/**
 * A whole suite as one document. Checks that need derived ids or effective settings (duplicate ids, n = K per example)
 * are made by the suite validator, which also streams.
 */
export const Suite = z
  .object({ ...header, examples: z.array(Example).min(1) })
  .check(checkVersionOne)
  .meta({ id: 'Suite', description: 'A suite, contract version 1 or 2.' });
export type Suite = z.output<typeof Suite>;
export type SuiteInput = z.input<typeof Suite>;

/** Version 1 did not say how several completions reduce, so it is readable only where there is one. */
function checkVersionOne(ctx: {
  value: { schema_version: 1 | 2; aggregation: Aggregation; generation: Generation };
  issues: z.core.$ZodRawIssue[];
}): void {
  const { schema_version: version, aggregation, generation } = ctx.value;
  if (version !== 1) return;
  if (aggregation.kind !== 'single') {
    ctx.issues.push({
      code: 'custom',
      input: aggregation.kind,
      path: ['aggregation', 'kind'],
      message: 'schema_version 1 allows only "single"; write "schema_version": 2',
    });
  }
  if (generation.n !== 1) {
    ctx.issues.push({
      code: 'custom',
      input: generation.n,
      path: ['generation', 'n'],
      message: 'schema_version 1 allows only n = 1; write "schema_version": 2 and an aggregation',
    });
  }
}
