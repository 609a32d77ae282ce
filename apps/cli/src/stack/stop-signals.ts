import { EXIT } from '../exit-code.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

export interface StopSignals {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves with the first signal. */
  readonly received: Promise<(typeof SIGNALS)[number]>;
  /** What a shell expects of a program that a signal ended: 128 + its number; 0 when none came. */
  exitCode(): number;
  /** Stops listening. */
  dispose(): void;
}

/** Listens for the signals that ask a program to stop. @param onSecond  called for every signal after the first */
export function stopSignals(onSecond: () => void): StopSignals {
  const controller = new AbortController();
  let first: (typeof SIGNALS)[number] | null = null;
  let resolve: (signal: (typeof SIGNALS)[number]) => void;
  const received = new Promise<(typeof SIGNALS)[number]>((settle) => {
    resolve = settle;
  });
  const listener = (signal: NodeJS.Signals): void => {
    if (first !== null) return onSecond();
    first = signal as (typeof SIGNALS)[number];
    resolve(first);
    controller.abort(new Error(`stopped by ${signal}`));
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    signal: controller.signal,
    received,
    exitCode: () => (first === null ? EXIT.ok : 128 + NUMBERS[first]),
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
