import { copyFile, cp, link, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type DecoderShape,
  encodeOnnx,
  GraphBuilder,
  MID_SHAPE,
  type OnnxModel,
  parseOnnx,
  TINY_SHAPE,
  writeGeneratedModel,
} from '@kiln/inference/testing';

const TINY_ARITH = path.resolve(import.meta.dirname, '../../../models/tiny-arith');
const GRAPH = path.join('onnx', 'model.onnx');
const LOGITS_TO_KEEP = 'num_logits_to_keep';

export interface BenchModel {
  /** Its name within the model directory. */
  name: string;
  /** In the layout of Hugging Face, as the engine and transformers.js read it. */
  path: string;
  shape: DecoderShape;
  /** The same weights for programs that read other layouts; null = they are not measured on it. */
  forPython: { genaiPath: string; weightsManifest: string } | null;
}

/** A generated model too small to say anything, for trying the benchmark itself. */
const QUICK_SHAPE: DecoderShape = { ...TINY_SHAPE, positions: 1024 };

/**
 * Writes a generated model of 125 M parameters (float32, GroupQueryAttention, random weights) as `<folder>/models/generated`, and beside
 * it a folder for onnxruntime-genai whose weights are the very same file.
 */
export async function writeBenchModel(folder: string, quick: boolean): Promise<BenchModel> {
  const shape = quick ? QUICK_SHAPE : MID_SHAPE;
  const modelPath = path.join(folder, 'models', 'generated');
  await writeGeneratedModel(modelPath, { graph: { shape }, dataFiles: 1, tokenizerFrom: TINY_ARITH });
  // The last word that fills the vocabulary up. Every answer is checked to be as long as was asked for.
  await setEndToken(modelPath, shape.vocabulary - 1);
  await addToConfig(modelPath, { 'transformers.js_config': { use_external_data_format: { 'model.onnx': 1 } } });
  const graph = parseOnnx(await readFile(path.join(modelPath, GRAPH)));
  const weightsManifest = path.join(folder, 'weights.json');
  await writeFile(weightsManifest, JSON.stringify(weightsOf(graph, path.join(modelPath, 'onnx'))));
  const genaiPath = path.join(folder, 'genai');
  await writeGenaiFolder(genaiPath, modelPath, graph, shape);
  return { name: 'generated', path: modelPath, shape, forPython: { genaiPath, weightsManifest } };
}

/** The trained model of this repository, with another end token, so that answers are as long as is wanted. */
export async function copyTinyModel(folder: string): Promise<BenchModel> {
  const modelPath = path.join(folder, 'models', 'tiny-arith');
  await cp(TINY_ARITH, modelPath, { recursive: true, filter: (source) => path.basename(source) !== 'adapters' });
  const config = JSON.parse(await readFile(path.join(modelPath, 'config.json'), 'utf8')) as Record<string, number>;
  const shape = {
    layers: config['num_hidden_layers']!,
    hidden: config['hidden_size']!,
    heads: config['num_attention_heads']!,
    kvHeads: config['num_key_value_heads']!,
    headSize: config['head_dim']!,
    feedForward: config['intermediate_size']!,
    vocabulary: config['vocab_size']!,
    positions: config['max_position_embeddings']!,
  };
  await setEndToken(modelPath, shape.vocabulary - 1);
  return { name: 'tiny-arith', path: modelPath, shape, forPython: null };
}

async function setEndToken(modelPath: string, endToken: number): Promise<void> {
  await writeFile(path.join(modelPath, 'generation_config.json'), JSON.stringify({ eos_token_id: endToken, pad_token_id: 0 }));
  await addToConfig(modelPath, { eos_token_id: endToken });
}

async function addToConfig(modelPath: string, fields: object): Promise<void> {
  const file = path.join(modelPath, 'config.json');
  const config = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...config, ...fields }));
}

/** Where each weight lies, for programs that do not read ONNX. */
function weightsOf({ initializers }: OnnxModel, folder: string): object[] {
  return initializers.flatMap(({ name, dims, external }) =>
    external === null ? [] : [{ name, dims, file: path.join(folder, external.location), offset: external.offset }],
  );
}

/** Its runtime feeds no count of wanted logits: the count is a constant of the graph there. */
async function writeGenaiFolder(to: string, modelPath: string, graph: OnnxModel, shape: DecoderShape): Promise<void> {
  await mkdir(to, { recursive: true });
  await link(path.join(modelPath, 'onnx', 'model.onnx_data'), path.join(to, 'model.onnx_data'));
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) await copyFile(path.join(modelPath, file), path.join(to, file));
  const one = graph.initializers.find(({ name }) => name === 'integer_1')!;
  const logits = new GraphBuilder('float32');
  logits.output('logits', 'float32', ['batch_size', 1, shape.vocabulary]);
  const keepOne = parseOnnx(
    encodeOnnx({
      ...graph,
      inputs: graph.inputs.filter(({ name }) => name !== LOGITS_TO_KEEP),
      // A length of 1 tells it that prompts, too, come to one row of logits.
      outputs: [...logits.model.outputs, ...graph.outputs.filter(({ name }) => name !== 'logits')],
    }),
  );
  for (const node of keepOne.nodes) node.inputs = node.inputs.map((input) => (input === LOGITS_TO_KEEP ? one.name : input));
  await writeFile(path.join(to, 'model.onnx'), encodeOnnx(keepOne));
  const config = {
    model: {
      bos_token_id: 1,
      eos_token_id: shape.vocabulary - 1,
      pad_token_id: 0,
      context_length: shape.positions,
      decoder: {
        session_options: { intra_op_num_threads: 1, inter_op_num_threads: 1, provider_options: [] },
        filename: 'model.onnx',
        head_size: shape.headSize,
        hidden_size: shape.hidden,
        inputs: {
          input_ids: 'input_ids',
          attention_mask: 'attention_mask',
          past_key_names: 'past_key_values.%d.key',
          past_value_names: 'past_key_values.%d.value',
        },
        outputs: { logits: 'logits', present_key_names: 'present.%d.key', present_value_names: 'present.%d.value' },
        num_attention_heads: shape.heads,
        num_hidden_layers: shape.layers,
        num_key_value_heads: shape.kvHeads,
      },
      type: 'llama',
      vocab_size: shape.vocabulary,
    },
    search: { do_sample: false, max_length: shape.positions, past_present_share_buffer: true },
  };
  await writeFile(path.join(to, 'genai_config.json'), JSON.stringify(config));
}
