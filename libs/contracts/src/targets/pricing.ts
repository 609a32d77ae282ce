import { z } from 'zod';
import { Usd } from '../scalars/usd.js';

/**
 * What generating on a target costs. Token buckets are disjoint: uncached input, cached input, cache writes, output.
 * A bucket without its own price costs what input costs. `unknown` is never taken for 0: such a job needs a token cap.
 */
export const Pricing = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('free') }),
    z.strictObject({
      kind: z.literal('per_token'),
      input: Usd,
      cached_input: Usd.exactOptional(),
      cache_write: Usd.exactOptional(),
      output: Usd,
    }),
    z.strictObject({ kind: z.literal('per_second'), usd: Usd }),
    z.strictObject({ kind: z.literal('unknown') }),
  ])
  .meta({ id: 'Pricing', description: 'per_token: US dollars per million tokens. per_second: US dollars per second of generation.' });
export type Pricing = z.output<typeof Pricing>;

export const PriceBasis = z.enum(['free', 'per_token', 'per_second', 'unknown']).meta({ id: 'PriceBasis' });
export type PriceBasis = z.infer<typeof PriceBasis>;
