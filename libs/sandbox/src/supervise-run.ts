import { type ConfinedResult } from '@kiln/scoring';
import { type ChildProcess } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { type Readable, type Writable } from 'node:stream';
import { collectOutput } from './output-collector.js';
import { MAX_OUTPUT_BYTES } from './sandbox-options.js';

/**
 * How long the end of a killed run, or of its output, is waited for: the kernel needs milliseconds, and the caller must never hang.
 * In steps, so that a process that was stopped for a while still reads what was waiting for it.
 */
const PATIENCE_STEPS = 20;
const PATIENCE_STEP_MS = 100;

/** What came of a run, apart from how it was confined. */
export type RunEnd = Omit<Extract<ConfinedResult, { ok: true }>, 'ok' | 'confinement'>;

export interface RunBounds {
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Ends everything that the run started; called again is harmless. */
  readonly kill: () => void;
  readonly signal: AbortSignal;
}

/**
 * Waits for a child to end and ends it when it exceeds its time or its output, or when aborted. Resolves within the time and two
 * seconds, whatever the child does. Rejects when aborted, once the child is gone, or when it could not be started.
 */
export function superviseRun(child: ChildProcess, { stdin, timeoutMs, kill, signal }: RunBounds): Promise<RunEnd> {
  const started = performance.now();
  let timedOut = false;
  let outputLimit = false;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      kill();
      patience ??= setInterval(() => {
        steps += 1;
        if (steps >= PATIENCE_STEPS) finish();
      }, PATIENCE_STEP_MS);
    };
    const onOverflow = (): void => {
      outputLimit = true;
      end();
    };
    const stdout = collectOutput(child.stdout as Readable, MAX_OUTPUT_BYTES, onOverflow);
    const stderr = collectOutput(child.stderr as Readable, MAX_OUTPUT_BYTES, onOverflow);
    let patience: NodeJS.Timeout | undefined;
    let steps = 0;
    const deadline = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    const release = (): void => {
      clearTimeout(deadline);
      clearInterval(patience);
      signal.removeEventListener('abort', end);
      for (const stream of child.stdio) stream?.destroy();
    };
    function finish(): void {
      release();
      if (signal.aborted) return reject(signal.reason as Error);
      const { exitCode, signalCode } = child;
      const durationMs = performance.now() - started;
      resolve({ exitCode, signal: signalCode, stdout: stdout.text(), stderr: stderr.text(), timedOut, outputLimit, durationMs });
    }
    // Many runs may share a signal.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      release();
      reject(error);
    });
    // What the program started may hold its output open: it goes with the program.
    child.once('exit', end);
    child.once('close', finish);
    feed(child.stdin, stdin);
    if (signal.aborted) end();
  });
}

/** Writes all and closes. A reader that goes away early is its own business. */
export function feed(stream: Writable | null, content: string | Buffer): void {
  stream?.on('error', () => undefined);
  stream?.end(content);
}
