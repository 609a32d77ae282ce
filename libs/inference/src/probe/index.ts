import { type CheckOptions } from './check-models.js';
import { type ModelsCheck } from './model-check.js';

export { type CheckOptions };
export { type ModelCheck, type ModelsCheck } from './model-check.js';

/** As {@link import('./check-models.js').checkModels}; loads the runtime into this process only when it is called. */
export async function checkModels(directory: string, options: CheckOptions): Promise<ModelsCheck> {
  return (await import('./check-models.js')).checkModels(directory, options);
}
