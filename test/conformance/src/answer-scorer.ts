import { type Score, type Scorer } from '@kiln/contracts';
import { compileExecutedScorer, type ExecutedScorer, plainAnswer, type ScorerPorts } from '@kiln/scoring';
import { type ExampleToProve } from '@kiln/suites';
import { type KnownAnswer } from './data-set.js';

/** Scores answers to examples, compiling each scorer once. */
export class AnswerScorer {
  readonly #ports: ScorerPorts;
  readonly #compiled = new Map<string, ExecutedScorer>();

  constructor(ports: ScorerPorts) {
    this.#ports = ports;
  }

  async score(example: ExampleToProve, { text, toolCalls }: Pick<KnownAnswer, 'text' | 'toolCalls'>): Promise<Score> {
    const input = { ...plainAnswer(text, example), toolCalls: toolCalls ?? null };
    return this.#compile(example.scorer)(input, new AbortController().signal);
  }

  #compile(scorer: Scorer): ExecutedScorer {
    const key = JSON.stringify(scorer);
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) this.#compiled.set(key, (compiled = compileExecutedScorer(scorer, this.#ports)));
    return compiled;
  }
}
