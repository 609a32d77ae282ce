import { elementOfCode } from './ort-element.js';
import { type OrtLibrary } from './ort-library.js';
import { type TensorSpec } from './ort-session.js';

type Kind = 'Input' | 'Output' | 'OverridableInitializer';

/** What a session says about its inputs, outputs or overridable initializers. @throws OrtError */
export function readTensorSpecs(library: OrtLibrary, session: bigint, kind: Kind): TensorSpec[] {
  const { call } = library;
  const count = Number(library.out((out: [number | null]) => call[`SessionGet${kind}Count`](session, out)));
  return Array.from({ length: count }, (_, index) => {
    const name = readName(library, (out) => call[`SessionGet${kind}Name`](session, index, library.allocator, out));
    const info = library.own('type', call.ReleaseTypeInfo, (out) => call[`SessionGet${kind}TypeInfo`](session, index, out));
    try {
      return { name, ...readType(library, info.address) };
    } finally {
      info.release();
    }
  });
}

function readName(library: OrtLibrary, get: (out: [bigint | null]) => bigint | null): string {
  const address = library.out(get);
  try {
    return library.koffi.decode.string(address);
  } finally {
    library.check(library.call.AllocatorFree(library.allocator, address));
  }
}

function readType(library: OrtLibrary, typeInfo: bigint): Pick<TensorSpec, 'type' | 'shape'> {
  const { call, koffi } = library;
  // Part of the type, which frees it; null for sequences, maps and optionals.
  const info = library.out((out: [bigint | null]) => call.CastTypeInfoToTensorInfo(typeInfo, out)) as bigint | null;
  if (info === null) return { type: null, shape: [] };
  const code = library.out((out: [number | null]) => call.GetTensorElementType(info, out));
  const rank = Number(library.out((out: [number | null]) => call.GetDimensionsCount(info, out)));
  const sizes = new BigInt64Array(rank);
  const names = new BigUint64Array(rank);
  library.check(call.GetDimensions(info, sizes, rank));
  library.check(call.GetSymbolicDimensions(info, names, rank));
  const shape = Array.from(sizes, (size, axis) => (size >= 0n ? Number(size) : koffi.decode.string(names[axis]!)));
  return { type: elementOfCode(code), shape };
}
