import { type NamePattern, PortNames } from './port-names.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

type Json = Record<string, unknown>;

/** What onnxruntime-genai's genai_config.json says that the files beside it do not. */
export interface GenaiConfig {
  /** The graph's file, within the directory. */
  graph: string;
  names: PortNames;
  endTokens: number[];
  contextTokens: number | null;
}

/** Parts of a model that are graphs of their own. */
const OTHER_GRAPHS = ['encoder', 'embedding', 'vision', 'speech', 'audio'];

/** Fields with names of cache ports. Hybrid models have some of the later ones. */
const PATTERNS: readonly [side: 'inputs' | 'outputs', field: string, pattern: Omit<NamePattern, 'pattern'>][] = [
  ['inputs', 'past_key_names', { time: 'past', kind: 'key' }],
  ['inputs', 'past_value_names', { time: 'past', kind: 'value' }],
  ['inputs', 'past_conv_names', { time: 'past', kind: 'convolution' }],
  ['inputs', 'past_recurrent_names', { time: 'past', kind: 'recurrent' }],
  ['outputs', 'present_key_names', { time: 'present', kind: 'key' }],
  ['outputs', 'present_value_names', { time: 'present', kind: 'value' }],
  ['outputs', 'present_conv_names', { time: 'present', kind: 'convolution' }],
  ['outputs', 'present_recurrent_names', { time: 'present', kind: 'recurrent' }],
];

/** @throws UnsupportedModelError for a model of several graphs, or one that needs a library of operators. */
export function readGenaiConfig(config: Json): GenaiConfig {
  const model = object(config['model']);
  const decoder = object(model['decoder']);
  const other = OTHER_GRAPHS.find((part) => model[part] !== undefined && Object.keys(object(model[part])).length > 0);
  if (other !== undefined) {
    throw new UnsupportedModelError(
      `genai_config.json has a graph for ${other} beside the decoder; only models of one graph are supported`,
    );
  }
  if (decoder['pipeline'] !== undefined) throw new UnsupportedModelError('genai_config.json splits the decoder into a pipeline of graphs');
  const library = text(object(decoder['session_options'])['custom_ops_library']);
  if (library !== undefined) throw new UnsupportedModelError(`genai_config.json needs the library of operators ${library}`);
  const [inputs, outputs] = [object(decoder['inputs']), object(decoder['outputs'])];
  const patterns = PATTERNS.flatMap(([side, field, role]): NamePattern[] => {
    const pattern = text((side === 'inputs' ? inputs : outputs)[field]);
    return pattern === undefined ? [] : [{ ...role, pattern }];
  });
  const names = {
    inputIds: text(inputs['input_ids']),
    attentionMask: text(inputs['attention_mask']),
    positionIds: text(inputs['position_ids']),
    logits: text(outputs['logits']),
  };
  const context = model['context_length'];
  return {
    graph: text(decoder['filename']) ?? 'model.onnx',
    names: new PortNames(Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined)), patterns),
    endTokens: tokenIds(model['eos_token_id']),
    contextTokens: Number.isSafeInteger(context) && (context as number) > 0 ? (context as number) : null,
  };
}

/** One token or a list of them; anything else is none. */
export function tokenIds(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isSafeInteger(id) && (id as number) >= 0);
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
