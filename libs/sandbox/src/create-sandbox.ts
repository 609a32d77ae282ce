import { type ConfinedProgram, type RunConfined } from '@kiln/scoring';
import { findPython, type PythonInterpreter } from './find-python.js';
import { inheritedDescriptors } from './inherited-descriptors.js';
import { runBubblewrap } from './run-bubblewrap.js';
import { runProcess } from './run-process.js';
import { type SandboxAvailability, sandboxAdvice } from './sandbox-availability.js';
import { type SandboxOptions } from './sandbox-options.js';

/** Untrusted code runs here. */
export interface Sandbox {
  readonly runConfined: RunConfined;
  /** Whether code can be run on this machine; tried once. */
  available(): Promise<SandboxAvailability>;
}

const PYTHON = 'python3';
/** No way out of the work directory. */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
const PROBE_TIMEOUT_MS = 10_000;

interface Preparation {
  readonly availability: SandboxAvailability;
  readonly python: PythonInterpreter | null;
  readonly run: RunConfined;
}

/** Nothing is tried or started before the first call. */
export function createSandbox(options: SandboxOptions): Sandbox {
  let preparation: Promise<Preparation> | undefined;
  const prepared = (): Promise<Preparation> =>
    (preparation ??= options.mode === 'process' ? prepareProcess(options) : prepareBubblewrap(options));
  return {
    available: async () => (await prepared()).availability,
    async runConfined(program, signal) {
      const { availability, python, run } = await prepared();
      signal.throwIfAborted();
      if (!availability.ok) return availability;
      const wrong = Object.keys(program.files).find((name) => !FILE_NAME.test(name));
      if (wrong !== undefined) return { ok: false, code: 'sandbox_failed', message: `"${wrong}" is not a plain file name` };
      const [command, ...rest] = program.argv;
      if (command !== PYTHON) return run(program, signal);
      if (python !== null) return run({ ...program, argv: [python.executable, ...rest] }, signal);
      return { ok: false, code: 'sandbox_unavailable', message: availability.warning ?? NO_PYTHON };
    },
  };
}

const NO_PYTHON =
  'no python3 that the sandbox can reach: install it (Debian/Ubuntu: apt-get install python3-minimal), or name one below a directory that everyone may read (KILN_SANDBOX_PYTHON).';

async function prepareBubblewrap(options: SandboxOptions): Promise<Preparation> {
  const [found, inherited] = await Promise.all([findPython(options.python), inheritedDescriptors()]);
  const runWith =
    (readable: readonly string[]): RunConfined =>
    (program, signal) =>
      runBubblewrap(program, options, { readable, inherited }, signal);
  const run = runWith([]);
  const flaw = await probeFlaw(run, ['true']);
  if (flaw !== null) return { availability: { ok: false, code: 'sandbox_unavailable', message: sandboxAdvice(flaw) }, python: null, run };
  // Whether the interpreter can be reached is a matter of its own: shell scripts do without.
  const withPython = runWith(found?.readable ?? []);
  const reached = found !== null && (await probeFlaw(withPython, [found.executable, '-I', '-S', '-c', 'import json'])) === null;
  const availability = {
    ok: true,
    confinement: 'bubblewrap',
    python: reached ? found.executable : null,
    warning: reached ? null : NO_PYTHON,
  } as const;
  return reached ? { availability, python: found, run: withPython } : { availability, python: null, run };
}

async function prepareProcess(options: SandboxOptions): Promise<Preparation> {
  const python = await findPython(options.python);
  const runWith =
    (limited: boolean): RunConfined =>
    (program, signal) =>
      runProcess(program, options, limited, signal);
  const limited = (await probeFlaw(runWith(true), ['true'])) === null;
  const memory = limited ? '' : ', and its memory has no limit';
  const warning = `code runs without a sandbox (sandbox.mode is "process"): it may do all that this worker may do${memory}`;
  const availability = { ok: true, confinement: 'process', python: python?.executable ?? null, warning } as const;
  return { availability, python, run: runWith(limited) };
}

/** null when the program ran and succeeded. */
async function probeFlaw(run: RunConfined, argv: ConfinedProgram['argv']): Promise<string | null> {
  const program = { argv, files: { probe: '' }, stdin: '', env: {}, timeoutMs: PROBE_TIMEOUT_MS };
  const result = await run(program, new AbortController().signal);
  if (!result.ok) return result.message;
  if (result.timedOut) return `no end after ${PROBE_TIMEOUT_MS / 1000} s`;
  return result.exitCode === 0 ? null : result.stderr.trim().slice(0, 500) || `exit code ${result.exitCode}`;
}
