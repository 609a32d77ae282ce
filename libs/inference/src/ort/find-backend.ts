import { type AskedBackend, type BackendChoice, chooseBackend, whyNotC } from './choose-backend.js';
import { loadOrtLibrary, type OrtLibrary } from './ort-library.js';

/** What {@link chooseBackend} says here, with the library of the C API. That is loaded only where it is of use. @throws OrtError */
export async function findBackend(
  asked: AskedBackend,
  load = loadOrtLibrary,
): Promise<BackendChoice & { readonly library: OrtLibrary | null }> {
  if (whyNotC(asked) !== null) return { ...chooseBackend(asked, null), library: null };
  const loaded = await load();
  return { ...chooseBackend(asked, loaded.library === null ? loaded.reason : null), library: loaded.library };
}
