import { type LibraryHandle, type TypeObject } from 'koffi';

export type Koffi = typeof import('koffi');

/** Where a function writes a pointer, a size or a type code. */
type Out<T> = [T | null];
/** The address of an OrtStatus, null when all went well. */
type Status = bigint | null;

/** A function that may also run on a thread of libuv's pool. Arguments that are memory must stay referenced until `done`. */
export type AsyncCall<A extends unknown[]> = ((...args: A) => Status) & {
  async: (...args: [...A, done: (error: Error | null, status: Status) => void]) => void;
};

/** What is used of the C API. Addresses are bigints; names as in onnxruntime_c_api.h. */
export interface OrtFunctions {
  GetErrorMessage(status: bigint): string;
  ReleaseStatus(status: bigint): void;
  CreateEnv(logLevel: number, id: string, out: Out<bigint>): Status;

  CreateSessionOptions(out: Out<bigint>): Status;
  SetSessionExecutionMode(options: bigint, mode: number): Status;
  SetSessionLogSeverityLevel(options: bigint, level: number): Status;
  SetSessionGraphOptimizationLevel(options: bigint, level: number): Status;
  SetIntraOpNumThreads(options: bigint, threads: number): Status;
  SetInterOpNumThreads(options: bigint, threads: number): Status;
  AddSessionConfigEntry(options: bigint, key: string, value: string): Status;
  SetDeterministicCompute(options: bigint, value: boolean): Status;
  ReleaseSessionOptions(options: bigint): void;
  CreateCUDAProviderOptions(out: Out<bigint>): Status;
  UpdateCUDAProviderOptions(cuda: bigint, keys: string[], values: string[], count: number): Status;
  SessionOptionsAppendExecutionProvider_CUDA_V2(options: bigint, cuda: bigint): Status;
  ReleaseCUDAProviderOptions(cuda: bigint): void;

  CreateSession: AsyncCall<[env: bigint, path: string, options: bigint, out: Out<bigint>]>;
  CreateSessionFromArray: AsyncCall<[env: bigint, graph: Uint8Array, bytes: number, options: bigint, out: Out<bigint>]>;
  ReleaseSession(session: bigint): void;
  SessionGetInputCount(session: bigint, out: Out<number>): Status;
  SessionGetOutputCount(session: bigint, out: Out<number>): Status;
  SessionGetOverridableInitializerCount(session: bigint, out: Out<number>): Status;
  SessionGetInputTypeInfo(session: bigint, index: number, out: Out<bigint>): Status;
  SessionGetOutputTypeInfo(session: bigint, index: number, out: Out<bigint>): Status;
  SessionGetOverridableInitializerTypeInfo(session: bigint, index: number, out: Out<bigint>): Status;
  SessionGetInputName(session: bigint, index: number, allocator: bigint, out: Out<bigint>): Status;
  SessionGetOutputName(session: bigint, index: number, allocator: bigint, out: Out<bigint>): Status;
  SessionGetOverridableInitializerName(session: bigint, index: number, allocator: bigint, out: Out<bigint>): Status;
  CastTypeInfoToTensorInfo(typeInfo: bigint, out: Out<bigint>): Status;
  GetTensorElementType(tensorInfo: bigint, out: Out<number>): Status;
  GetDimensionsCount(tensorInfo: bigint, out: Out<number>): Status;
  GetDimensions(tensorInfo: bigint, out: BigInt64Array, count: number): Status;
  GetSymbolicDimensions(tensorInfo: bigint, out: BigUint64Array, count: number): Status;
  ReleaseTypeInfo(typeInfo: bigint): void;

  GetAllocatorWithDefaultOptions(out: Out<bigint>): Status;
  AllocatorFree(allocator: bigint, memory: bigint): Status;
  CreateMemoryInfo(name: string, allocatorType: number, device: number, memoryType: number, out: Out<bigint>): Status;
  ReleaseMemoryInfo(info: bigint): void;
  CreateAllocator(session: bigint, info: bigint, out: Out<bigint>): Status;
  ReleaseAllocator(allocator: bigint): void;
  CreateTensorAsOrtValue(allocator: bigint, shape: BigInt64Array, rank: number, type: number, out: Out<bigint>): Status;
  CreateTensorWithDataAsOrtValue(
    info: bigint,
    memory: bigint,
    bytes: number,
    shape: BigInt64Array,
    rank: number,
    type: number,
    out: Out<bigint>,
  ): Status;
  GetTensorMutableData(value: bigint, out: Out<bigint>): Status;
  ReleaseValue(value: bigint): void;

  CreateIoBinding(session: bigint, out: Out<bigint>): Status;
  ReleaseIoBinding(binding: bigint): void;
  BindInput(binding: bigint, name: string, value: bigint): Status;
  BindOutput(binding: bigint, name: string, value: bigint): Status;
  ClearBoundInputs(binding: bigint): void;
  ClearBoundOutputs(binding: bigint): void;
  SynchronizeBoundInputs(binding: bigint): Status;
  RunWithBinding: AsyncCall<[session: bigint, runOptions: bigint, binding: bigint]>;
  CreateRunOptions(out: Out<bigint>): Status;
  RunOptionsSetTerminate(runOptions: bigint): Status;
  RunOptionsUnsetTerminate(runOptions: bigint): Status;
  ReleaseRunOptions(runOptions: bigint): void;
}

/** The version of the API whose table is described here, and of the library that has it. */
export const API_VERSION = 26;
export const LIBRARY_VERSION = '1.30.0';

/** A result that is not a status is given after the arguments. */
type Entry = readonly [index: number, args: string, result?: 'str' | 'void'];

/**
 * Positions in the table of function pointers (`struct OrtApi`, in the order of its declaration), and arguments: p pointer,
 * i int, z size_t, s text, b bool; `>` before one that is written.
 *
 * The runtime only appends to the table, and its build asserts that (onnxruntime_c_api.cc, "Size of version … API cannot change").
 */
const TABLE: Readonly<Record<keyof OrtFunctions, Entry>> = {
  GetErrorMessage: [2, 'p', 'str'],
  CreateEnv: [3, 'i s >p'],
  CreateSession: [7, 'p s p >p'],
  CreateSessionFromArray: [8, 'p p z p >p'],
  CreateSessionOptions: [10, '>p'],
  SetSessionExecutionMode: [13, 'p i'],
  SetSessionLogSeverityLevel: [22, 'p i'],
  SetSessionGraphOptimizationLevel: [23, 'p i'],
  SetIntraOpNumThreads: [24, 'p i'],
  SetInterOpNumThreads: [25, 'p i'],
  SessionGetInputCount: [30, 'p >z'],
  SessionGetOutputCount: [31, 'p >z'],
  SessionGetOverridableInitializerCount: [32, 'p >z'],
  SessionGetInputTypeInfo: [33, 'p z >p'],
  SessionGetOutputTypeInfo: [34, 'p z >p'],
  SessionGetOverridableInitializerTypeInfo: [35, 'p z >p'],
  SessionGetInputName: [36, 'p z p >p'],
  SessionGetOutputName: [37, 'p z p >p'],
  SessionGetOverridableInitializerName: [38, 'p z p >p'],
  CreateRunOptions: [39, '>p'],
  RunOptionsSetTerminate: [46, 'p'],
  RunOptionsUnsetTerminate: [47, 'p'],
  CreateTensorAsOrtValue: [48, 'p p z i >p'],
  CreateTensorWithDataAsOrtValue: [49, 'p p z p z i >p'],
  GetTensorMutableData: [51, 'p >p'],
  CastTypeInfoToTensorInfo: [55, 'p >p'],
  GetTensorElementType: [60, 'p >i'],
  GetDimensionsCount: [61, 'p >z'],
  GetDimensions: [62, 'p p z'],
  GetSymbolicDimensions: [63, 'p p z'],
  CreateMemoryInfo: [68, 's i i i >p'],
  AllocatorFree: [76, 'p p'],
  GetAllocatorWithDefaultOptions: [78, '>p'],
  ReleaseStatus: [93, 'p', 'void'],
  ReleaseMemoryInfo: [94, 'p', 'void'],
  ReleaseSession: [95, 'p', 'void'],
  ReleaseValue: [96, 'p', 'void'],
  ReleaseRunOptions: [97, 'p', 'void'],
  ReleaseTypeInfo: [98, 'p', 'void'],
  ReleaseSessionOptions: [100, 'p', 'void'],
  AddSessionConfigEntry: [130, 'p s s'],
  CreateAllocator: [131, 'p p >p'],
  ReleaseAllocator: [132, 'p', 'void'],
  RunWithBinding: [133, 'p p p'],
  CreateIoBinding: [134, 'p >p'],
  ReleaseIoBinding: [135, 'p', 'void'],
  BindInput: [136, 'p s p'],
  BindOutput: [137, 'p s p'],
  ClearBoundInputs: [141, 'p', 'void'],
  ClearBoundOutputs: [142, 'p', 'void'],
  SynchronizeBoundInputs: [202, 'p'],
  SessionOptionsAppendExecutionProvider_CUDA_V2: [204, 'p p'],
  CreateCUDAProviderOptions: [205, '>p'],
  UpdateCUDAProviderOptions: [206, 'p S S z'],
  ReleaseCUDAProviderOptions: [208, 'p', 'void'],
  SetDeterministicCompute: [273, 'p b'],
};

/** Finds the functions in a loaded library. @throws Error when it is of another version than `expected`. */
export function bindOrtFunctions(koffi: Koffi, library: LibraryHandle, expected = LIBRARY_VERSION): OrtFunctions {
  const base = library.func('OrtGetApiBase', 'void *', [])() as bigint;
  const [getApi, getVersion] = koffi.decode(base, koffi.array('void *', 2)) as [bigint, bigint];
  const version = koffi.call(getVersion, koffi.proto('str', [])) as string;
  if (version !== expected) throw new Error(`onnxruntime ${version} was found, ${expected} is needed`);
  const api = koffi.call(getApi, koffi.proto('void *', ['uint32_t']), API_VERSION) as bigint | null;
  if (api === null) throw new Error(`onnxruntime ${version} has no API of version ${API_VERSION}`);
  const size = Math.max(...Object.values(TABLE).map(([index]) => index)) + 1;
  const pointers = koffi.decode(api, koffi.array('void *', size)) as bigint[];
  const bound = Object.entries(TABLE).map(([name, [index, args, result = 'void *']]) => {
    const proto = koffi.proto(
      result,
      args.split(' ').map((arg) => argumentType(koffi, arg)),
    );
    return [name, koffi.decode(pointers[index]!, proto) as unknown];
  });
  return Object.fromEntries(bound) as OrtFunctions;
}

const ARGUMENT_TYPES: Readonly<Record<string, string>> = { p: 'void *', i: 'int', z: 'size_t', s: 'str', b: 'bool', S: 'const char **' };

function argumentType(koffi: Koffi, letter: string): TypeObject {
  if (!letter.startsWith('>')) return koffi.type(ARGUMENT_TYPES[letter]!);
  return koffi.out(koffi.pointer(ARGUMENT_TYPES[letter.slice(1)]!)) as unknown as TypeObject;
}
