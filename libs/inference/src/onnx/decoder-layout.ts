/** The graph is not a language model of a kind that can be run here; the message says what is in the way. */
export class UnsupportedModelError extends Error {
  override readonly name = 'UnsupportedModelError';
}

/** An input or output of a graph, whether read from the file or reported by the runtime. */
export interface Port {
  name: string;
  /** `float32`, `float16`, `int64`, … */
  type: string;
  /** Sizes; a free dimension is a name or null. */
  shape: readonly (number | string | null)[];
}

export interface CachePort {
  /** Input that takes the keys or values so far, [batch, heads, length, size]. */
  past: string;
  /** Output that returns them with the new ones. */
  present: string;
  heads: number;
  headSize: number;
}

/** What a decoder graph wants to be fed, found from its ports and never from the model's name. */
export interface DecoderLayout {
  cache: readonly CachePort[];
  cacheType: 'float32' | 'float16';
  logitsType: 'float32' | 'float16';
  attentionMask: boolean;
  positionIds: boolean;
  /** The input that says how many last positions to compute logits for; null = all are computed. */
  logitsToKeep: { name: string; shape: number[] } | null;
}

const PAST = /^past(?:_key_values)?\.(?<layer>\d+)\.(?<side>key|value)$/;
const PRESENT = /^present(?:_key_values)?\.(?<layer>\d+)\.(?<side>key|value)$/;
const LOGITS_TO_KEEP = new Set(['num_logits_to_keep', 'logits_to_keep']);

/**
 * Pairs K/V inputs with outputs and finds the optional inputs.
 * @throws UnsupportedModelError for a graph without a cache, with an input that is not known, or with an unusual type.
 */
export function detectDecoderLayout(inputs: readonly Port[], outputs: readonly Port[]): DecoderLayout {
  const presents = new Map(outputs.flatMap((port) => keyed(PRESENT, port)));
  const cache: CachePort[] = [];
  const layout = { attentionMask: false, positionIds: false, logitsToKeep: null as DecoderLayout['logitsToKeep'] };
  let cacheType: string | null = null;
  let takesTokens = false;
  for (const input of inputs) {
    const [past] = keyed(PAST, input);
    if (past !== undefined) {
      const present = presents.get(past[0]);
      if (present === undefined) throw new UnsupportedModelError(`cache input ${input.name} has no output that returns it`);
      cache.push({ past: input.name, present: present.name, ...cacheSizes(input) });
      if (cacheType !== null && cacheType !== input.type) throw new UnsupportedModelError('cache inputs are of different types');
      cacheType = input.type;
    } else if (input.name === 'input_ids') takesTokens = true;
    else if (input.name === 'attention_mask') layout.attentionMask = true;
    else if (input.name === 'position_ids' && input.shape.length === 2) layout.positionIds = true;
    else if (LOGITS_TO_KEEP.has(input.name)) layout.logitsToKeep = { name: input.name, shape: input.shape.map(() => 1) };
    else throw new UnsupportedModelError(`input ${input.name} [${input.shape.join(', ')}] is not supported`);
  }
  const logits = outputs.find(({ name }) => name === 'logits');
  if (!takesTokens) throw new UnsupportedModelError('the graph has no input_ids; it is not a decoder over tokens');
  if (logits === undefined) throw new UnsupportedModelError('the graph has no logits output; it is not a language model');
  if (cacheType === null) throw new UnsupportedModelError('the graph has no past_key_values inputs; export it with a K/V cache');
  return { ...layout, cache, cacheType: floatType(cacheType, 'the cache'), logitsType: floatType(logits.type, 'logits') };
}

function keyed(pattern: RegExp, port: Port): [key: string, port: Port][] {
  const groups = pattern.exec(port.name)?.groups;
  return groups === undefined ? [] : [[`${groups['layer']}.${groups['side']}`, port]];
}

function cacheSizes({ name, shape }: Port): { heads: number; headSize: number } {
  const [, heads, , headSize] = shape;
  if (shape.length !== 4 || typeof heads !== 'number' || typeof headSize !== 'number') {
    throw new UnsupportedModelError(`cache input ${name} [${shape.join(', ')}] is not [batch, heads, length, size]`);
  }
  return { heads, headSize };
}

function floatType(type: string, what: string): 'float32' | 'float16' {
  if (type !== 'float32' && type !== 'float16')
    throw new UnsupportedModelError(`${what} of type ${type}; float32 and float16 are supported`);
  return type;
}
