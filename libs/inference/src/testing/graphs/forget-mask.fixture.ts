import { readFile, writeFile } from 'node:fs/promises';
import { encodeOnnx, parseOnnx } from '../../onnx/graph/onnx-model.js';

/** Changes a generated graph with attention in parts so that it sees whatever was left in the columns that the mask hides. */
export async function forgetMask(graphPath: string): Promise<void> {
  const graph = parseOnnx(await readFile(graphPath));
  const and = graph.nodes.find(({ opType }) => opType === 'And')!;
  and.inputs = [and.inputs[0]!, and.inputs[0]!];
  await writeFile(graphPath, encodeOnnx(graph));
}
