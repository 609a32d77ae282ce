import { type Job, KilnError, type Verdict } from '@kiln/contracts';
import { ServerUnreachableError } from './client/server-unreachable-error.js';

/** What the program's end tells a script. Only verbs that gate use 5 and 6. */
export const EXIT = {
  ok: 0,
  error: 1,
  badInput: 2,
  unreachable: 3,
  notFound: 4,
  inconclusive: 5,
  gateFailed: 6,
  stopped: 7,
  replayMismatch: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of an error that ended a command. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof ServerUnreachableError) return EXIT.unreachable;
  if (!(error instanceof KilnError)) return EXIT.error;
  if (error.status === 404) return EXIT.notFound;
  return error.status === 400 || error.status === 413 || error.status === 415 ? EXIT.badInput : EXIT.error;
}

/** The exit code of a finished job. A verdict decides only for a job that ran to its end. A replay without a verdict proves nothing. */
export function exitCodeOfJob(job: Pick<Job, 'state' | 'kind' | 'verdicts' | 'replay_verdict'>): ExitCode {
  if (job.state === 'failed') return EXIT.error;
  if (job.state === 'capped' || job.state === 'cancelled' || job.state === 'cancelling') return EXIT.stopped;
  if (job.kind === 'replay') return exitCodeOfReplay(job.replay_verdict);
  return exitCodeOfVerdicts(job.verdicts);
}

function exitCodeOfReplay(verdict: Job['replay_verdict']): ExitCode {
  if (verdict?.status === 'matched') return EXIT.ok;
  return verdict?.status === 'mismatch' ? EXIT.replayMismatch : EXIT.error;
}

/** Of several candidates the worst decides: a failed gate before an undecidable one before an inconclusive one. */
export function exitCodeOfVerdicts(verdicts: readonly Pick<Verdict, 'outcome'>[]): ExitCode {
  const outcomes = new Set(verdicts.map(({ outcome }) => outcome));
  if (outcomes.has('regression') || outcomes.has('demoted')) return EXIT.gateFailed;
  if (outcomes.has('error')) return EXIT.error;
  return outcomes.has('inconclusive') ? EXIT.inconclusive : EXIT.ok;
}
