import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';

/** Copies a run of elements from one place to another, in CPU memory or on a device. Places in one tensor may overlap on the CPU only. */
export async function copyElements(
  session: OrtSession,
  [from, fromFirst]: readonly [OrtTensor, number],
  [to, toFirst]: readonly [OrtTensor, number],
  count: number,
): Promise<void> {
  if (count === 0) return;
  if (from.memory === 'cpu' && to.memory === 'cpu') {
    (to.data as Uint8Array).set((from.data as Uint8Array).subarray(fromFirst, fromFirst + count), toFirst);
    return;
  }
  const views = [session.viewOf(from, [count], fromFirst), session.viewOf(to, [count], toFirst)] as const;
  try {
    await session.copy(...views);
  } finally {
    for (const view of views) view.release();
  }
}
