import { type JudgeUsage, type Message } from '@kiln/contracts';

/** What executed scorers reach the world through. */
export interface ScorerPorts {
  readonly askJudge: AskJudge;
  readonly runConfined: RunConfined;
  /** Fresh unguessable text of letters and digits, for delimiters that a candidate cannot forge. */
  readonly randomToken: () => string;
}

export interface JudgeQuestion {
  /** null = the job's judge. */
  readonly judgeModel: string | null;
  /** null = the base model. */
  readonly judgeAdapter: string | null;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** u64 as a decimal string. */
  readonly seed: string;
}

export type JudgeAnswer =
  /** `text` without reasoning; null when the judge's output ended inside its reasoning. */
  | { readonly ok: true; readonly text: string | null; readonly usage: JudgeUsage }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly usage: JudgeUsage | null };

/** Asks the judge once. Rejects only when aborted. */
export type AskJudge = (question: JudgeQuestion, signal: AbortSignal) => Promise<JudgeAnswer>;

/** A program to run where it can do no harm: no network, a read-only system, its own empty work directory. */
export interface ConfinedProgram {
  /** Found on the system's path. */
  readonly argv: readonly [string, ...string[]];
  /** Written into the work directory, which is the current one; names without a slash. */
  readonly files: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Added to a minimal environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type ConfinedResult =
  | {
      readonly ok: true;
      /** null when a signal ended it. */
      readonly exitCode: number | null;
      readonly signal: string | null;
      /** Cut at the output limit; not always what the program meant to be text. */
      readonly stdout: string;
      readonly stderr: string;
      readonly timedOut: boolean;
      /** More was written than the limit; the program was ended. */
      readonly outputLimit: boolean;
      readonly durationMs: number;
      /** `process`: without a sandbox, because the operator allowed it; the score must say so. */
      readonly confinement: 'bubblewrap' | 'process';
    }
  /** Nothing ran: no sandbox can be had, or it could not be started. */
  | { readonly ok: false; readonly code: 'sandbox_unavailable' | 'sandbox_failed'; readonly message: string };

/** Runs a program to its end. Rejects only when aborted. */
export type RunConfined = (program: ConfinedProgram, signal: AbortSignal) => Promise<ConfinedResult>;
