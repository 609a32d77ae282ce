import { type ExecutedScore, type JudgeUsage, parseWith, Scorer } from '@kiln/contracts';
import { compileExecutedScorer } from '../compile-executed-scorer.js';
import { scoringInput } from '../score-answer.fixture.js';
import { type JudgeQuestion, type ScorerPorts } from '../scorer-ports.js';
import { type ScoringInput } from '../scoring-input.js';

/** A reply; null: the judge's output ended inside its reasoning; an object: it could not be asked. */
export type Reply = string | null | { readonly code: string };

export const USAGE: JudgeUsage = {
  calls: 1,
  prompt_tokens: 10,
  cached_tokens: 0,
  cache_write_tokens: 0,
  completion_tokens: 3,
  cost_usd: '0.001',
  price_basis: 'per_token',
  duration_ms: 5,
};

/** Answers with the replies in order, or as a function of the question; keeps what it was asked. */
export class ScriptedJudge {
  readonly questions: JudgeQuestion[] = [];
  readonly #tokens: Iterator<string>;

  constructor(
    private readonly replies: readonly Reply[] | ((prompt: string) => Reply),
    tokens: Iterable<string> = countedTokens(),
  ) {
    this.#tokens = tokens[Symbol.iterator]();
  }

  get ports(): ScorerPorts {
    return {
      randomToken: () => this.#tokens.next().value ?? '',
      runConfined: () => Promise.reject(new Error('a judge runs no code')),
      askJudge: async (question) => {
        this.questions.push(question);
        const reply =
          typeof this.replies === 'function' ? this.replies(this.prompts.at(-1) ?? '') : this.replies[this.questions.length - 1];
        if (reply === undefined) throw new Error(`asked ${this.questions.length} times`);
        if (reply === null || typeof reply === 'string') return { ok: true, text: reply, usage: USAGE };
        return { ok: false, code: reply.code, message: 'no route to the judge', usage: USAGE };
      },
    };
  }

  /** The user messages, in order. */
  get prompts(): string[] {
    return this.questions.map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content ?? '');
  }

  /** Scores one answer with a scorer as a suite writes it. */
  score(scorer: object, text: string, rest: Partial<ScoringInput> = {}): Promise<ExecutedScore> {
    const compiled = compileExecutedScorer(parseWith(Scorer, scorer, 'scorer'), this.ports);
    return compiled(scoringInput(text, rest), new AbortController().signal);
  }
}

function* countedTokens(): Generator<string> {
  for (let count = 1; ; count += 1) yield `token${count}x`;
}
