import { z } from 'zod';
import { OutcomeKind } from './outcome-kind.js';
import { Fraction } from './scalars/fraction.js';
import { type PriceBasis } from './targets/pricing.js';

/** A scorer's result on one trace. `detail` says how it came to it, in a form of the scorer's own. */
export const Score = z.object({ kind: OutcomeKind, score: Fraction, detail: z.unknown() }).meta({ id: 'Score' });
export interface Score {
  kind: OutcomeKind;
  /** From 0 to 1. */
  score: number;
  detail: unknown;
}

/** What judging one trace consumed, over all calls, those that failed included. */
export interface JudgeUsage {
  calls: number;
  prompt_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  completion_tokens: number;
  /** US dollars as a decimal string; null when the price of any call is unknown. */
  cost_usd: string | null;
  price_basis: PriceBasis;
  duration_ms: number;
}

/** A score that took more than reading the trace: a judge was asked, or code was run. */
export interface ExecutedScore extends Score {
  /** On the scorer's own scale, before it was brought to [0, 1]; null when it has none. */
  raw_value: number | null;
  /** null when no judge was asked. */
  usage: JudgeUsage | null;
}
