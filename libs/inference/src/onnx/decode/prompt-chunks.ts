import { type DecodeRules } from './decode-rules.js';

/** A run over one token computes it in another way than a run over several: the last chunk of a prompt has at least two. */
const LEAST_CHUNK = 2;

/**
 * Where the chunk ends that begins at `from`. Chunks end at multiples of `chunkTokens`, so that two prompts are cut alike as far as they
 * are alike; but the last end but one moves when a single token would be left behind it.
 * @param total length of the prompt; a prompt of one token is a chunk of one token.
 */
export function chunkEnd(from: number, total: number, chunkTokens: number): number {
  if (chunkTokens === Infinity) return total;
  const end = Math.min((Math.floor(from / chunkTokens) + 1) * chunkTokens, total);
  if (end === total) return end;
  if (end - from < LEAST_CHUNK) return chunkEnd(end, total, chunkTokens);
  if (total - end >= LEAST_CHUNK) return end;
  // One token fewer here or, where that would leave one here, all of them.
  return end - 1 - from >= LEAST_CHUNK ? end - 1 : total;
}

/** Most tokens that a chunk can have: one that began just before a multiple, and takes a last token with it. */
export function longestChunk(chunkTokens: number): number {
  return chunkTokens + LEAST_CHUNK;
}

export interface PrefixDonor {
  /** Tokens that the donor has read, from the first one on. */
  readonly read: number;
  /** Length of its whole prompt. */
  readonly total: number;
  /** Where its recurrent state was kept; 0 = nowhere, null = the model has none. */
  readonly stateAt: number | null;
}

/**
 * How many of a prompt's first tokens need not be read again, of `common` that a donor has read as well. Never leaves one token
 * to be read, and never changes a bit of what is computed for the prompt.
 * @param hasLogits the logits behind the whole prompt are at hand.
 */
export function reusableTokens(
  common: number,
  donor: PrefixDonor,
  total: number,
  { reuse, chunkTokens }: Pick<DecodeRules, 'reuse' | 'chunkTokens'>,
  hasLogits: boolean,
): number {
  const isSame = common === total && donor.total === total && donor.read === total;
  if (isSame && hasLogits && (donor.stateAt === null || donor.stateAt === total)) return total;
  if (reuse === 'whole') return 0;
  if (reuse === 'anywhere') return Math.max(0, Math.min(common, total - LEAST_CHUNK));
  const most = Math.min(common, donor.stateAt ?? common);
  let reusable = 0;
  for (let end = chunkTokens; end <= most; end += chunkTokens) {
    if (hasChunkEnd(end, total) && (end === donor.total || hasChunkEnd(end, donor.total))) reusable = end;
  }
  return donor.stateAt === null || donor.stateAt === reusable ? reusable : 0;
}

/** Whether a prompt has a chunk that ends at this multiple, and another one behind it. */
function hasChunkEnd(end: number, total: number): boolean {
  return total - end >= LEAST_CHUNK;
}
