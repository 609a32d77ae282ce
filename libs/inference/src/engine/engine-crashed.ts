import { type GeneratorKind } from './child-options.js';

export interface EngineExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** It was killed because it made no progress. */
  hung: boolean;
  /** The end of what it wrote to standard error. */
  stderr: string;
}

/** An engine child ended although work was under way. Its samples may be tried again; one of them may be the reason. */
export class EngineCrashed extends Error {
  override readonly name = 'EngineCrashed';
  readonly code = 'engine_crashed';
  readonly kind: GeneratorKind;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hung: boolean;
  readonly stderr: string;
  /** Ids of this call's samples that the child held. */
  readonly inFlight: readonly string[];

  constructor(kind: GeneratorKind, exit: EngineExit, inFlight: readonly string[] = []) {
    const how = exit.hung
      ? 'made no progress and was killed'
      : exit.signal !== null
        ? `was ended by ${exit.signal}`
        : `ended with code ${exit.exitCode}`;
    super(`the ${kind} engine ${how}${exit.stderr === '' ? '' : `: ${exit.stderr.trim().split('\n').at(-1)}`}`);
    this.kind = kind;
    this.exitCode = exit.exitCode;
    this.signal = exit.signal;
    this.hung = exit.hung;
    this.stderr = exit.stderr;
    this.inFlight = inFlight;
  }
}
