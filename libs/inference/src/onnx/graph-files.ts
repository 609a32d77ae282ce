import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One graph file of a model's directory. */
export interface GraphFile {
  /** Path within the directory. */
  file: string;
  /** What follows the stem: `q4` of `model_q4.onnx`; null for `model.onnx`. */
  variant: string | null;
}

/** Variants in order of preference: weights as they are, then rounded, then those that round activations as well. */
const PREFERENCE = ['fp32', 'fp16', 'q8', 'q4', 'q4f16', 'bnb4', 'q2', 'q2f16', 'q1', 'q1f16', 'int8', 'uint8', 'quantized'];
const NAME = /^model(?:_(?<variant>[A-Za-z0-9]+))?\.onnx$/;
/** Names of graphs that are parts of a model; which part, and what is in the way, their inputs say. */
const PARTS = ['decoder_model_merged.onnx', 'decoder_with_past_model.onnx', 'decoder_model.onnx'];

/**
 * The graphs of a directory, the preferred one first: `model.onnx`, then fp32, fp16, 8 and 4 bits; in `onnx/` before the
 * directory itself. Empty when there is none.
 */
export async function findGraphFiles(path: string): Promise<GraphFile[]> {
  const found: GraphFile[] = [];
  const parts: GraphFile[] = [];
  for (const folder of ['onnx', '']) {
    for (const name of await fileNames(join(path, folder))) {
      const match = NAME.exec(name);
      const file = join(folder, name);
      const variant = match?.groups?.['variant'] ?? null;
      if (match !== null && !found.some((known) => known.variant === variant)) found.push({ file, variant });
      else if (PARTS.includes(name)) parts.push({ file, variant: null });
    }
  }
  if (found.length === 0) return parts.slice(0, 1);
  return found.toSorted((a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : 1));
}

/** Names of all files in a folder, sorted; none when it does not exist. */
export async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  // Files of a download cache are symbolic links.
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
}

function rank({ variant }: GraphFile): number {
  if (variant === null) return -1;
  const index = PREFERENCE.indexOf(variant);
  return index === -1 ? PREFERENCE.length : index;
}
