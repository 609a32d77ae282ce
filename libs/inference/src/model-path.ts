import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KilnError } from '@kiln/contracts';

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Whether a directory's name can be part of a model's name (`name`, or `organisation/name` as on Hugging Face). */
export function isModelNameSegment(segment: string): boolean {
  return SEGMENT.test(segment);
}

/** The directory of a model. Names cannot lead out of `modelDir`. @throws KilnError `model_not_found` */
export async function modelPath(modelDir: string, model: string): Promise<string> {
  const segments = model.split('/');
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
