import { type GraphOperators } from './graph-operators.js';
import { type CacheRole, PortNames, STANDARD_NAMES } from './port-names.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

export { UnsupportedModelError };

/** An input or output of a graph, whether read from the file or reported by the runtime. */
export interface Port {
  name: string;
  /** `float32`, `float16`, `int64`, … */
  type: string;
  /** Sizes; a free dimension is a name or null. */
  shape: readonly (number | string | null)[];
}

export type FloatType = 'float32' | 'float16';
export type IntegerType = 'int64' | 'int32';

export interface IntegerPort {
  name: string;
  type: IntegerType;
}

export interface CachePort {
  /** Input that takes the keys or values so far, [batch, heads, length, size]. */
  past: string;
  /** Output that returns them with the new ones. */
  present: string;
  layer: number;
  side: 'key' | 'value';
  heads: number;
  headSize: number;
  type: FloatType;
  /** The operator may write into the memory it reads from, so that `past` and `present` can be one buffer of full length. */
  inPlace: boolean;
}

/** State of fixed size of one layer of a hybrid model. Zeros before the first token; replaced, not appended to, by every run. */
export interface StatePort {
  past: string;
  present: string;
  layer: number;
  kind: 'convolution' | 'recurrent';
  /** Sizes without the batch, which comes first. */
  shape: readonly number[];
  type: FloatType;
}

/** What a decoder graph wants to be fed, found from its ports and operators and never from the model's name. */
export interface DecoderLayout extends GraphOperators {
  inputIds: IntegerPort;
  /** Float logits [batch, positions, vocabulary]. */
  logits: { name: string; type: FloatType; vocabulary: number | null };
  /** Keys and values of the layers that attend, in the order of the inputs. At least one. */
  cache: readonly CachePort[];
  /** Empty but for hybrid models. */
  states: readonly StatePort[];
  /** The type of all `cache` ports. */
  cacheType: FloatType;
  /** 1 for every column that holds a token, [batch, past + new]; null = not wanted. */
  attentionMask: IntegerPort | null;
  /** [batch, new], or [planes, batch, new] with equal planes for text; null = the graph counts by itself. */
  positionIds: (IntegerPort & { planes: number | null }) | null;
  /** The input that says how many last positions to compute logits for; null = all are computed. */
  logitsToKeep: (IntegerPort & { shape: number[] }) | null;
  /** All cache ports can be read and written in one place. */
  sharesBuffer: boolean;
  /**
   * State has no columns that a mask could hide: a padded or foreign position stays in it for good. Prompts are then read
   * without padding, one row at a time, and a prefix can be shared only at the exact token where its state was kept.
   */
  needsExactPrefill: boolean;
}

const LOGITS_TO_KEEP = new Set(['num_logits_to_keep', 'logits_to_keep']);

/** Inputs of graphs that are run in another way, and what they are. */
const REFUSED_INPUTS: readonly [name: RegExp, reason: string][] = [
  [/^(encoder_|decoder_input_ids$|encoder_hidden)/, 'it is part of an encoder-decoder model; only decoders are supported'],
  [/^inputs_embeds$/, 'it takes embeddings, so the model is split into embed_tokens and a decoder; export it as one graph over input_ids'],
  [/^(pixel_values|image_|audio_|input_features)/, 'it takes images or sound; only text models are supported'],
  [
    /^(block_table|slot_mapping|cumulative_sequence_lengths|cu_seqlens|past_sequence_lengths)$/,
    'it is exported for paged attention, whose results are not reproducible; export it with GroupQueryAttention',
  ],
  [/^use_cache_branch$/, 'it is a merged decoder with two branches; export it with past only (model.onnx)'],
  [/^(cache_indirection|beam_width)$/, 'it is exported for beam search'],
];

/**
 * Pairs cache and state inputs with the outputs that return them, and finds the optional inputs.
 * @param names as genai_config.json states them; the names that exporters agree on are always understood.
 * @throws UnsupportedModelError for a graph without a cache, with an input that is not known, or with an unusual type or shape.
 */
export function detectDecoderLayout(
  inputs: readonly Port[],
  outputs: readonly Port[],
  operators: GraphOperators,
  names: PortNames = STANDARD_NAMES,
): DecoderLayout {
  const presents = new Map(outputs.flatMap((port) => keyed('present', port, names)));
  const cache: CachePort[] = [];
  const states: StatePort[] = [];
  let inputIds: IntegerPort | null = null;
  const optional: Pick<DecoderLayout, 'attentionMask' | 'positionIds' | 'logitsToKeep'> = {
    attentionMask: null,
    positionIds: null,
    logitsToKeep: null,
  };
  for (const input of inputs) {
    const [past] = keyed('past', input, names);
    if (past !== undefined) {
      const [key, { layer, kind }] = past;
      const present = presents.get(key);
      if (present === undefined) throw new UnsupportedModelError(`cache input ${input.name} has no output that returns it`);
      const common = { past: input.name, present: present.port.name, layer, type: floatType(input.type, `cache input ${input.name}`) };
      if (present.port.type !== input.type)
        throw new UnsupportedModelError(`cache input ${input.name} is ${input.type}, but ${present.port.name} is ${present.port.type}`);
      if (kind === 'key' || kind === 'value') {
        cache.push({ ...common, side: kind, ...cacheSizes(input), inPlace: operators.inPlacePairs.get(input.name) === present.port.name });
      } else states.push({ ...common, kind, shape: stateShape(input) });
    } else if (input.name === names.inputIds) inputIds = twoDimensional(input);
    else if (input.name === names.attentionMask) optional.attentionMask = twoDimensional(input);
    else if (input.name === names.positionIds) optional.positionIds = positions(input);
    else if (LOGITS_TO_KEEP.has(input.name)) {
      optional.logitsToKeep = { name: input.name, type: integerType(input), shape: input.shape.map(() => 1) };
    } else throw refusedInput(input);
  }
  const logits = outputs.find(({ name }) => name === names.logits);
  if (inputIds === null) throw new UnsupportedModelError(`the graph has no ${names.inputIds}; it is not a decoder over tokens`);
  if (logits === undefined) throw new UnsupportedModelError(`the graph has no ${names.logits} output; it is not a language model`);
  const [first] = cache;
  if (first === undefined) throw new UnsupportedModelError('the graph has no past_key_values inputs; export it with a K/V cache');
  if (cache.some(({ type }) => type !== first.type)) throw new UnsupportedModelError('cache inputs are of different types');
  return {
    ...operators,
    ...optional,
    inputIds,
    logits: floatLogits(logits),
    cache,
    states,
    cacheType: first.type,
    sharesBuffer: cache.every(({ inPlace }) => inPlace),
    needsExactPrefill: states.length > 0,
  };
}

function keyed(time: 'past' | 'present', port: Port, names: PortNames): [key: string, found: CacheRole & { port: Port }][] {
  const role = names.cacheRole(port.name);
  return role === null || role.time !== time ? [] : [[`${role.layer}.${role.kind}`, { ...role, port }]];
}

function refusedInput({ name, shape }: Port): UnsupportedModelError {
  const [, reason] = REFUSED_INPUTS.find(([pattern]) => pattern.test(name)) ?? [];
  return new UnsupportedModelError(
    reason === undefined ? `input ${name} [${shape.join(', ')}] is not supported` : `the graph has the input ${name}: ${reason}`,
  );
}

function cacheSizes({ name, shape }: Port): { heads: number; headSize: number } {
  const [batch, heads, length, headSize] = shape;
  if (shape.length !== 4 || typeof heads !== 'number' || typeof headSize !== 'number') {
    throw new UnsupportedModelError(`cache input ${name} [${shape.join(', ')}] is not [batch, heads, length, size]`);
  }
  if (typeof batch === 'number' || typeof length === 'number') {
    throw new UnsupportedModelError(`cache input ${name} [${shape.join(', ')}] has a fixed batch or length; export it with free ones`);
  }
  return { heads, headSize };
}

function stateShape({ name, shape }: Port): number[] {
  const [batch, ...sizes] = shape;
  if (typeof batch === 'number' || sizes.length === 0 || !sizes.every((size): size is number => typeof size === 'number')) {
    throw new UnsupportedModelError(`state input ${name} [${shape.join(', ')}] is not [batch, …] with a free batch and fixed sizes`);
  }
  return sizes;
}

function twoDimensional(port: Port): IntegerPort {
  if (port.shape.length !== 2) {
    throw new UnsupportedModelError(`input ${port.name} [${port.shape.join(', ')}] is not [batch, length]`);
  }
  return { name: port.name, type: integerType(port) };
}

function positions(port: Port): DecoderLayout['positionIds'] {
  const { name, shape } = port;
  if (shape.length === 2) return { name, type: integerType(port), planes: null };
  const [planes] = shape;
  if (shape.length !== 3) {
    throw new UnsupportedModelError(`input ${name} [${shape.join(', ')}] is neither [batch, length] nor [planes, batch, length]`);
  }
  // Text, height, width: the one use of planes that there is.
  return { name, type: integerType(port), planes: typeof planes === 'number' ? planes : 3 };
}

function floatLogits({ name, type, shape }: Port): DecoderLayout['logits'] {
  if (shape.length !== 3) throw new UnsupportedModelError(`${name} [${shape.join(', ')}] are not [batch, positions, vocabulary]`);
  const [, , vocabulary] = shape;
  return { name, type: floatType(type, 'logits'), vocabulary: typeof vocabulary === 'number' ? vocabulary : null };
}

function integerType({ name, type }: Port): IntegerType {
  if (type !== 'int64' && type !== 'int32') throw new UnsupportedModelError(`input ${name} of type ${type}; int64 and int32 are supported`);
  return type;
}

function floatType(type: string, what: string): FloatType {
  if (type !== 'float32' && type !== 'float16')
    throw new UnsupportedModelError(`${what} of type ${type}; float32 and float16 are supported`);
  return type;
}
