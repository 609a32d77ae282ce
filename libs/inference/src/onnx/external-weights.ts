import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { withExternalLocation } from './graph/new-tensor.js';
import { type OnnxModel, type OnnxTensor } from './graph/onnx-model.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/**
 * The files with a graph's external weights, relative to the graph's directory, sorted.
 * @throws UnsupportedModelError when one is missing, too short, or outside: the runtime follows a link only where graph and weights link
 *   into one folder, as in a download cache.
 */
export async function checkExternalWeights(tensors: readonly OnnxTensor[], graphPath: string): Promise<string[]> {
  const needed = new Map<string, number>();
  for (const { external } of tensors) {
    if (external === null) continue;
    const { location, offset, length } = external;
    if (normalize(location) !== location || isOutside(location)) {
      throw new UnsupportedModelError(`external weights lie outside the model's directory: ${location}`);
    }
    needed.set(location, Math.max(needed.get(location) ?? 0, offset + (length ?? 0)));
  }
  const directory = dirname(graphPath);
  for (const [location, bytes] of needed) {
    const path = join(directory, location);
    const size = await stat(path).then(
      (entry) => entry.size,
      () => null,
    );
    if (size === null) throw new UnsupportedModelError(`external weights ${location} are missing`);
    if (size < bytes) throw new UnsupportedModelError(`external weights ${location} are cut off: ${size} of ${bytes} bytes`);
    const [real, ...roots] = await Promise.all([realpath(path), realpath(directory), realpath(graphPath).then(dirname)]);
    if (roots.every((root) => isOutside(relative(root, real)))) {
      throw new UnsupportedModelError(
        `external weights ${location} are a link to ${real}, which the runtime does not follow; use a hard link`,
      );
    }
  }
  return [...needed.keys()].toSorted();
}

/**
 * The model as it can be opened from bytes with the folder for its external weights: a graph that links into a download cache
 * has its weights there under other names.
 */
export async function locateExternalWeights(model: OnnxModel, graphPath: string): Promise<{ model: OnnxModel; folder: string }> {
  const directory = dirname(graphPath);
  const folder = dirname(await realpath(graphPath));
  if (folder === (await realpath(directory))) return { model, folder: directory };
  const locations = new Map<string, string>();
  for (const { external } of model.initializers) {
    if (external === null || locations.has(external.location)) continue;
    locations.set(external.location, relative(folder, await realpath(join(directory, external.location))));
  }
  const initializers = model.initializers.map((tensor) =>
    tensor.external === null ? tensor : withExternalLocation(tensor, locations.get(tensor.external.location)!),
  );
  return { model: { ...model, initializers }, folder };
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
