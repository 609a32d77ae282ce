/**
 * System calls that no scorer needs, with their numbers on x86-64 and on arm64: ways to other kernels and machines, to memory that
 * no limit counts, to the parts of the kernel in which sandboxes were broken.
 * Numbers: asm/unistd_64.h and asm-generic/unistd.h of Linux.
 */
const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  mq_open: [240, 180],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  syslog: [103, 116],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
};

interface Machine {
  readonly column: 0 | 1;
  readonly audit: number;
  readonly clone: number;
  readonly clone3: number;
  readonly socket: number;
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: { column: 0, audit: 0xc000_003e, clone: 56, clone3: 435, socket: 41 },
  arm64: { column: 1, audit: 0xc000_00b7, clone: 220, clone3: 435, socket: 198 },
};

/** Local sockets and the empty loopback network; not vsock, netlink, packet, the kernel's crypto. */
const SOCKET_FAMILIES = [1, 2, 10];
/** CLONE_NEWNS … CLONE_NEWNET, without the flags of threads. */
const NAMESPACE_FLAGS = 0x7e02_0000;
/** The first number of the x32 calls, which reach x86-64 kernels under other numbers. */
const X32 = 0x4000_0000;

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const refuseWith = (errno: number): number => 0x0005_0000 | errno;

// Classic BPF: load a word of `struct seccomp_data`, jump on a comparison, return.
const [LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16];
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * A seccomp program that refuses what no scorer needs; null for processors whose numbers are not known here.
 * @param processor as `process.arch` names it
 */
export function seccompFilter(processor: string): Buffer | null {
  const machine = Object.hasOwn(MACHINES, processor) ? MACHINES[processor] : undefined;
  if (machine === undefined) return null;
  const refused = Object.values(REFUSED).map((numbers) => numbers[machine.column]);
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(machine.column === 0 ? answerWhen([AT_LEAST, X32], ENOSYS) : []),
    ...refused.flatMap((number) => answerWhen([EQUAL, number], EPERM)),
    // Its flags lie in memory, out of a filter's sight; libc falls back to clone.
    ...answerWhen([EQUAL, machine.clone3], ENOSYS),
    [EQUAL, 0, 4, machine.clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [ANY_BIT, 0, 1, NAMESPACE_FLAGS],
    [RETURN, 0, 0, refuseWith(EPERM)],
    [RETURN, 0, 0, ALLOW],
    [EQUAL, 1, 0, machine.socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    ...SOCKET_FAMILIES.flatMap((family): Instruction[] => [
      [EQUAL, 0, 1, family],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, refuseWith(EAFNOSUPPORT)],
  ];
  return encode(program);
}

function answerWhen([test, value]: readonly [number, number], errno: number): Instruction[] {
  return [
    [test, 0, 1, value],
    [RETURN, 0, 0, refuseWith(errno)],
  ];
}

/** An array of `struct sock_filter`. Both processors are little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
