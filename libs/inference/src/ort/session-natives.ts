import { NativeObject } from './native-object.js';
import { type OrtLibrary } from './ort-library.js';
import { type DeviceMemory } from './own-memory.js';
import { type TensorSpec } from './ort-session.js';
import { readTensorSpecs } from './read-tensor-specs.js';

const DEVICE_ALLOCATOR = 0;
const DEFAULT_MEMORY = 0;

/** Everything native that a session owns, besides tensors. */
export interface SessionNatives {
  readonly session: NativeObject;
  readonly binding: NativeObject;
  readonly runOptions: NativeObject;
  /** Says of memory that it is the CPU's. */
  readonly cpu: NativeObject;
  /** Memory of the device, on a provider that has its own. */
  readonly device: { readonly info: NativeObject; readonly allocator: NativeObject } | null;
  readonly specs: Readonly<Record<'inputs' | 'outputs' | 'initializers', readonly TensorSpec[]>>;
  /** Frees all of it, the session last: the others have memory of it. */
  release(): void;
}

/** Takes over a session that was just created, which is freed if this fails. @throws OrtError */
export function newNatives(library: OrtLibrary, address: bigint, device: DeviceMemory | null): SessionNatives {
  const { call } = library;
  const owned: NativeObject[] = [];
  const release = () => owned.toReversed().forEach((native) => native.release());
  const own = (native: NativeObject) => (owned.push(native), native);
  const memoryInfo = ({ name, id }: DeviceMemory) =>
    own(
      library.own('memory info', call.ReleaseMemoryInfo, (out) => call.CreateMemoryInfo(name, DEVICE_ALLOCATOR, id, DEFAULT_MEMORY, out)),
    );
  const newDevice = (session: NativeObject, memory: DeviceMemory) => {
    const info = memoryInfo(memory);
    const create = (out: [bigint | null]) => call.CreateAllocator(session.address, info.address, out);
    return { info, allocator: own(library.own('allocator', call.ReleaseAllocator, create)) };
  };
  try {
    const session = own(new NativeObject('session', address, call.ReleaseSession, library.census));
    return {
      session,
      runOptions: own(library.own('run options', call.ReleaseRunOptions, (out) => call.CreateRunOptions(out))),
      cpu: memoryInfo({ name: 'Cpu', id: 0 }),
      device: device === null ? null : newDevice(session, device),
      binding: own(library.own('binding', call.ReleaseIoBinding, (out) => call.CreateIoBinding(session.address, out))),
      specs: {
        inputs: readTensorSpecs(library, session.address, 'Input'),
        outputs: readTensorSpecs(library, session.address, 'Output'),
        initializers: readTensorSpecs(library, session.address, 'OverridableInitializer'),
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}
