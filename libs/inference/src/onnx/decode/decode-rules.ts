import { type DecoderLayout } from '../decoder-layout.js';
import { UnsupportedModelError } from '../unsupported-model-error.js';
import { stepSizes } from './step-sizes.js';

/** How a graph has to be run so that a completion's tokens never depend on its neighbours, on this provider. */
export interface DecodeRules {
  /** Fewest rows of a step; what is missing is filled up with a row whose result is thrown away. */
  readonly minRows: number;
  /** Most rows of a step. */
  readonly maxRows: number;
  /** The numbers of rows that a step may have, rising; null = any. On a device, where kernels, and so the order of sums, depend on shapes. */
  readonly stepSizes: readonly number[] | null;
  /** With `slots`, masks are as wide as a slot, for the same reason: the longest row must not decide about a shape. Else they are as wide as that row. */
  readonly masksWholeSlots: boolean;
  /** Most tokens of a prompt that one run reads. */
  readonly chunkTokens: number;
  /**
   * Where a prompt may begin on keys and values that were computed for another one. `anywhere`: results are the same to the bit however
   * a prompt is cut; `chunks`: at the ends of chunks, which are the same for all prompts; `whole`: only a prompt that is the same.
   */
  readonly reuse: 'anywhere' | 'chunks' | 'whole';
  /** How keys and values reach the graph; see {@link PastForm}. */
  readonly past: PastForm;
}

/**
 * `slots`: the operator reads and writes whole slots and is told how long each row is. `holes`: a past of constant width, where a mask and
 * positions hide what is empty; new columns come behind it. `exact`: a past as long as the row, because nothing could hide a hole.
 */
export type PastForm = 'slots' | 'holes' | 'exact';

export interface RunConditions {
  /** Of the provider; see {@link runsOnDevice}. */
  readonly onDevice: boolean;
  /** Most samples that are to be decoded together. */
  readonly maxBatch: number;
}

/** Matrices that are fed with each run are multiplied in another way for a single row. */
export const ADAPTER_MIN_ROWS = 2;

/** Enough for a matrix product to be efficient, little enough that nobody waits long for a step. */
const CHUNK_TOKENS = 512;
/** Most memory for logits of positions that nobody asked for, where a graph computes all of them. */
const UNWANTED_LOGITS_BYTES = 64 * 2 ** 20;
/** Where the runtime is known to compute one row as it computes it among others. */
const EXACT_ACCURACY_LEVEL = 4;

/** Alone, a row depends on its own length at most. */
const ONE_ROW = { minRows: 1, maxRows: 1, stepSizes: null, masksWholeSlots: false } as const;

/** @throws UnsupportedModelError */
export function decodeRules(layout: DecoderLayout, { onDevice, maxBatch }: RunConditions): DecodeRules {
  const past: PastForm = layout.attention === 'gqa' ? 'slots' : layout.positionIds === null ? 'exact' : 'holes';
  if (layout.rowsInteract) return { ...ONE_ROW, chunkTokens: Infinity, reuse: 'whole', past };
  const chunkTokens = chunkLimit(layout);
  // On a device, how a prompt is cut decides which kernels run.
  const reuse = past === 'slots' && !onDevice && !layout.needsExactPrefill ? 'anywhere' : 'chunks';
  if (past === 'exact') return { ...ONE_ROW, chunkTokens, reuse, past };
  const minRows = singleRowsDiffer(layout) ? 2 : 1;
  // Whatever was asked for: with fewer, an adapter's rows would depend on their number.
  const maxRows = Math.max(maxBatch, ADAPTER_MIN_ROWS);
  return {
    minRows,
    maxRows,
    stepSizes: onDevice ? stepSizes(maxRows) : null,
    masksWholeSlots: onDevice && past === 'slots',
    chunkTokens,
    reuse,
    past,
  };
}

function singleRowsDiffer({ quantisation, cacheType }: DecoderLayout): boolean {
  if (cacheType === 'float16') return true;
  return quantisation !== null && quantisation.accuracyLevels.some((level) => level !== EXACT_ACCURACY_LEVEL);
}

function chunkLimit({ logits, logitsToKeep }: DecoderLayout): number {
  if (logits.vocabulary === null) throw new UnsupportedModelError(`the size of the vocabulary is not stated by ${logits.name}`);
  if (logitsToKeep !== null) return CHUNK_TOKENS;
  const affordable = Math.floor(UNWANTED_LOGITS_BYTES / (logits.vocabulary * 4));
  return Math.max(2, Math.min(CHUNK_TOKENS, affordable));
}
