import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KilnError } from '@kiln/contracts';

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

const VARIANT = /@[A-Za-z0-9]+$/;

/** Whether a directory's name can be part of a model's name (`name`, or `organisation/name` as on Hugging Face). */
export function isModelNameSegment(segment: string): boolean {
  return SEGMENT.test(segment);
}

/** `q4` of `organisation/name@q4`: which graph of a model's directory; null for the one that the plain name stands for. */
export function modelVariant(model: string): string | null {
  const at = model.indexOf('@');
  return at === -1 ? null : model.slice(at + 1);
}

/** The directory of a model, without its variant. Names cannot lead out of `modelDir`. @throws KilnError `model_not_found` */
export async function modelPath(modelDir: string, model: string): Promise<string> {
  const segments = model.replace(VARIANT, '').split('/');
  const path = join(modelDir, ...segments);
  const exists =
    segments.length <= 2 &&
    segments.every(isModelNameSegment) &&
    (await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    ));
  if (!exists) throw new KilnError('model_not_found', `there is no model ${JSON.stringify(model)} here`);
  return path;
}
