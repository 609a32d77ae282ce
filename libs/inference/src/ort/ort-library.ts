import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { NativeCensus, NativeObject } from './native-object.js';
import { bindOrtFunctions, type Koffi, type OrtFunctions } from './ort-functions.js';
import { OrtError } from './ort-session.js';

const LIBRARY_FILES: Readonly<Record<string, string>> = { linux: 'libonnxruntime.so.1', darwin: 'libonnxruntime.1.dylib' };

/** Native code runs on stacks that koffi allocates. Loading a graph recurses, and a kernel may take what a thread usually has. */
const STACK_BYTES = 8 * 1024 * 1024;

/** 3 = errors only; the runtime writes to the standard error of this process. */
export const LOG_SEVERITY = 3;

/** The runtime's C API. One a process, never unloaded. */
export class OrtLibrary {
  readonly folder: string;
  readonly koffi: Koffi;
  readonly call: OrtFunctions;
  readonly census = new NativeCensus();
  readonly env: bigint;
  /** Never freed: the runtime's own. */
  readonly allocator: bigint;
  /** Referenced for as long as the library is used: koffi unloads the code of a handle that is collected. */
  readonly handle: unknown;

  /** @throws Error when the file does not load or is of another version. */
  constructor(koffi: Koffi, path: string) {
    koffi.config({ sync_stack_size: STACK_BYTES, async_stack_size: STACK_BYTES });
    const handle = koffi.load(path);
    this.handle = handle;
    this.koffi = koffi;
    this.folder = dirname(path);
    this.call = bindOrtFunctions(koffi, handle);
    this.env = this.out((out) => this.call.CreateEnv(LOG_SEVERITY, 'kiln', out));
    this.allocator = this.out((out) => this.call.GetAllocatorWithDefaultOptions(out));
  }

  /** Frees a status, if there is one. @throws OrtError with its message. */
  check(status: bigint | null): void {
    const error = this.takeError(status);
    if (error !== null) throw error;
  }

  takeError(status: bigint | null): OrtError | null {
    if (status === null) return null;
    const message = this.call.GetErrorMessage(status);
    this.call.ReleaseStatus(status);
    return new OrtError(message);
  }

  /** What a call writes to its last argument. @throws OrtError */
  out<T>(call: (out: [T | null]) => bigint | null): T {
    const out: [T | null] = [null];
    this.check(call(out));
    return out[0]!;
  }

  /** An object that a call creates, with its owner. @throws OrtError */
  own(kind: string, free: (address: bigint) => void, create: (out: [bigint | null]) => bigint | null): NativeObject {
    return new NativeObject(kind, this.out(create), free, this.census);
  }

  /** As `out`, for a call on a thread of libuv's pool. `call` keeps what it reads referenced until it is done. */
  async outAsync(call: (out: [bigint | null], done: (error: Error | null, status: bigint | null) => void) => void): Promise<bigint> {
    const out: [bigint | null] = [null];
    await this.asyncCall((done) => call(out, done));
    return out[0]!;
  }

  async asyncCall(call: (done: (error: Error | null, status: bigint | null) => void) => void): Promise<void> {
    const status = await new Promise<bigint | null>((resolve, reject) => {
      call((error, result) => {
        if (error === null || error === undefined) resolve(result);
        else reject(error);
      });
    });
    this.check(status);
  }
}

export type OrtLibraryResult = { library: OrtLibrary } | { library: null; reason: string };

const CACHE = Symbol.for('kiln.onnxruntime.c-api');
interface Cache {
  [CACHE]?: Promise<OrtLibraryResult>;
}

/** The runtime's library, or why it cannot be had. The process has one, even where modules are loaded twice, as test runners do. */
export function loadOrtLibrary(): Promise<OrtLibraryResult> {
  return ((globalThis as Cache)[CACHE] ??= load());
}

async function load(): Promise<OrtLibraryResult> {
  const path = ortLibraryPath(platform(), arch());
  if (path === null)
    return { library: null, reason: `onnxruntime-node has no library for ${platform()} ${arch()} that is called directly` };
  try {
    return { library: new OrtLibrary(await import('koffi'), path) };
  } catch (error) {
    return { library: null, reason: `the C API does not load: ${(error as Error).message}` };
  }
}

/** Where the pinned package has its library; null where it has none, or none that is used. */
export function ortLibraryPath(system: string, processor: string): string | null {
  const file = LIBRARY_FILES[system];
  if (file === undefined) return null;
  const packageFolder = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const path = join(packageFolder, 'bin', 'napi-v6', system, processor, file);
  return existsSync(path) ? path : null;
}
