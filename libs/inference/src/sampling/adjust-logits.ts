/** Settings that move logits before a token is chosen. Absent fields move nothing. */
export interface LogitAdjustments {
  /** Divides the positive and multiplies the negative logits of tokens that the prompt or the answer has already. */
  readonly repetition_penalty?: number;
  /** Taken off the logit of every token that the answer has already. */
  readonly presence_penalty?: number;
  /** Taken off the logit of a token as often as the answer has it already. */
  readonly frequency_penalty?: number;
  /** Added to the logits of the tokens with these ids. */
  readonly logit_bias?: Readonly<Record<string, number>>;
}

/** What was seen before a position: tokens of the prompt, and tokens of the answer with their counts. */
export interface SeenTokens {
  readonly prompt: ReadonlySet<number>;
  readonly answer: ReadonlyMap<number, number>;
}

export const NOTHING_SEEN: SeenTokens = { prompt: new Set(), answer: new Map() };

/** Whether settings move any logit. */
export function adjustsLogits({ repetition_penalty, presence_penalty, frequency_penalty, logit_bias }: LogitAdjustments): boolean {
  const penalises = (repetition_penalty ?? 1) !== 1 || (presence_penalty ?? 0) !== 0 || (frequency_penalty ?? 0) !== 0;
  return penalises || Object.keys(logit_bias ?? {}).length > 0;
}

/**
 * The logits that a token is chosen by; the same array where nothing is to be moved, else a copy. In this order: bias, repetition
 * penalty (CTRL, arXiv:1909.05858, with its sign rule), frequency and presence penalties (as the OpenAI API defines them, over the answer only). Each
 * moved logit is computed in float64 and rounded once.
 */
export function adjustLogits(logits: Float32Array, settings: LogitAdjustments, { prompt, answer }: SeenTokens): Float32Array {
  if (!adjustsLogits(settings)) return logits;
  const { repetition_penalty: repetition = 1, presence_penalty: presence = 0, frequency_penalty: frequency = 0 } = settings;
  const bias = new Map(Object.entries(settings.logit_bias ?? {}).map(([id, value]) => [Number(id), value]));
  const touched = new Set([...bias.keys(), ...answer.keys(), ...(repetition === 1 ? [] : prompt)]);
  const adjusted = Float32Array.from(logits);
  for (const id of touched) {
    // A bias may name a token that the vocabulary lacks.
    if (id >= logits.length) continue;
    let logit = logits[id]! + (bias.get(id) ?? 0);
    const count = answer.get(id) ?? 0;
    if (count > 0 || prompt.has(id)) logit = logit > 0 ? logit / repetition : logit * repetition;
    if (count > 0) logit -= count * frequency + presence;
    adjusted[id] = logit;
  }
  return adjusted;
}
