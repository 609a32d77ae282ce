import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeOnnx, type OnnxModel, parseOnnx } from '../onnx/graph/onnx-model.js';
import { MODELS } from './onnx-target.fixture.js';

/** A model directory of its own with a copy of `tiny-arith`, to be damaged by one test. */
export interface ModelCopy {
  /** What KILN_MODEL_DIR would be. */
  modelDir: string;
  /** The model's own directory. */
  path: string;
  edit(file: string, change: (content: string) => string): Promise<void>;
  editJson(file: string, change: Record<string, unknown>): Promise<void>;
  editGraph(change: (model: OnnxModel) => OnnxModel): Promise<void>;
  remove(): Promise<void>;
}

export async function copyModel(): Promise<ModelCopy> {
  const modelDir = await mkdtemp(join(tmpdir(), 'kiln-models-'));
  const path = join(modelDir, 'tiny-arith');
  await cp(join(MODELS, 'tiny-arith'), path, { recursive: true });
  const edit: ModelCopy['edit'] = async (file, change) => writeFile(join(path, file), change(await readFile(join(path, file), 'utf8')));
  return {
    modelDir,
    path,
    edit,
    editJson: (file, change) => edit(file, (content) => JSON.stringify({ ...(JSON.parse(content) as object), ...change })),
    editGraph: async (change) => {
      const graph = join(path, 'onnx', 'model.onnx');
      await writeFile(graph, encodeOnnx(change(parseOnnx(await readFile(graph)))));
    },
    remove: () => rm(modelDir, { recursive: true, force: true }),
  };
}
