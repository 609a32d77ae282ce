import { elementCount, type OrtArrays, type OrtElement } from './ort-element.js';
import { type OrtSession, type OrtTensor } from './ort-session.js';

/** A tensor in the memory of the provider, with a copy of `data` or zeros: runs read it where it is. @throws RangeError, OrtError */
export async function uploadTensor<T extends OrtElement>(
  session: OrtSession,
  type: T,
  shape: readonly number[],
  data?: OrtArrays[T],
): Promise<OrtTensor<T>> {
  const source = session.newTensor(type, shape, data);
  if (!session.hasOwnMemory) return source;
  let tensor: OrtTensor<T> | undefined;
  try {
    tensor = session.newDeviceTensor(type, shape);
    if (elementCount(shape) > 0) await session.copy(source, tensor);
    return tensor;
  } catch (error) {
    tensor?.release();
    throw error;
  } finally {
    source.release();
  }
}
