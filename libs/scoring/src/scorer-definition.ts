import { type ExecutedScore, type JsonObject, type Scorer } from '@kiln/contracts';
import { type ScorerPorts } from './scorer-ports.js';
import { type CompiledScorer, type ScoringInput } from './scoring-input.js';

/** What a scorer needs from an example. */
export interface ScoredExample {
  readonly target: string | null;
  readonly aliases: readonly string[];
  readonly reference: JsonObject | null;
}

/** Throws a KilnError when the scorer could never grade the example. `examplePath` is put before the bad field: `examples[3]`. */
export type ScorerCheck = (example: ScoredExample, examplePath: string) => void;

interface Definition<S extends Scorer> {
  /** Raised when the same configuration gives other scores than before: it is a part of the scorer's identity. */
  readonly version: number;
  /** Grades output that ended inside `<think>` by itself. The others answer `invalid` there. */
  readonly readsUnclosedThinking?: true;
  /**
   * Registration's check of the scorer itself, so that a suite which could only give `error` is refused instead of run.
   *
   * @param path where the scorer stands: `default_scorer`, `examples[3].scorer`
   * @throws KilnError naming the bad field
   * @returns the check of each example against it
   */
  check(scorer: S, path: string, checkChild: (child: Scorer, path: string) => ScorerCheck): ScorerCheck;
}

/** A scorer that only reads the trace. */
export interface InlineDefinition<S extends Scorer> extends Definition<S> {
  compile(scorer: S, compileChild: (child: Scorer) => CompiledScorer): CompiledScorer;
}

/** Scores one trace by running something: a judge, code. Rejects only when aborted; what goes wrong is a score of kind `error`. */
export type ExecutedScorer = (input: ScoringInput, signal: AbortSignal) => Promise<ExecutedScore>;

/** A scorer that asks a judge or runs code. */
export interface ExecutedDefinition<S extends Scorer> extends Definition<S> {
  compile(scorer: S, ports: ScorerPorts): ExecutedScorer;
}
