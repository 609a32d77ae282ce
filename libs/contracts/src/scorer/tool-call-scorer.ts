import { z } from 'zod';
import { textRecord } from '../scalars/text-record.js';
import { Text } from '../scalars/text.js';

const NameMatch = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('exact') }),
    z.object({ kind: z.literal('case_insensitive') }),
    z.object({ kind: z.literal('one_of'), allowed: z.array(Text.min(1)).min(1) }),
  ])
  .meta({ id: 'ToolNameMatch' });

const Weight = z.number().min(0);

/** Weights of a call's three parts, relative to each other. */
const Weights = z
  .object({ name: Weight.default(0.4), structure: Weight.default(0.3), content: Weight.default(0.3) })
  .refine(({ name, structure, content }) => name + structure + content > 0, 'must not all be 0; give one part a weight')
  .meta({ id: 'ToolCallWeights' });

/** How arguments are compared; `Nested` is what any scorer parses to, because single arguments may be graded by one. */
export type ToolArguments<Nested> =
  | { kind: 'keys_only' }
  | { kind: 'structural' }
  | { kind: 'auto' }
  | { kind: 'per_key'; scorers: Record<string, Nested>; extra_key_penalty: number };

export interface ToolCallScorerOf<Nested> {
  kind: 'tool_call';
  name_match: z.output<typeof NameMatch>;
  args: ToolArguments<Nested>;
  weights: z.output<typeof Weights>;
  require_xml_format: boolean;
}

/** The `tool_call` scorer: compares the answer's calls with the target's, pair by pair. `nested` grades single arguments. */
export function toolCallScorer<Nested>(nested: z.ZodType<Nested>) {
  const args = z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('keys_only') }),
      z.object({ kind: z.literal('structural') }),
      z.object({ kind: z.literal('auto') }),
      z.object({
        kind: z.literal('per_key'),
        scorers: textRecord(nested),
        extra_key_penalty: z.number().min(0).max(1).default(0),
      }),
    ])
    .meta({ id: 'ToolArguments' });
  return z
    .object({
      kind: z.literal('tool_call'),
      name_match: NameMatch.default({ kind: 'case_insensitive' }),
      args: args.default({ kind: 'auto' }),
      weights: Weights.prefault(() => ({})),
      require_xml_format: z.boolean().default(false),
    })
    .meta({ id: 'ToolCallScorer' });
}
