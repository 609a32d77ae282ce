import { type JudgeUsage, type Message } from '@kiln/contracts';
import { deriveSeed } from '@kiln/provenance';
import { excerpt } from '../excerpt.js';
import { type JudgeAnswer, type ScorerPorts } from '../scorer-ports.js';
import { sumJudgeUsage } from '../sum-judge-usage.js';
import { drawFence } from './data-fence.js';
import { judgePrompt, type JudgeQuestionText } from './judge-prompt.js';
import { type Reading, unreadable, type UnreadableReason } from './reading.js';

/** Who is asked, and how: the fields that all judging scorers share. */
export interface JudgeSettings {
  readonly judge_model: string | null;
  readonly judge_adapter: string | null;
  readonly max_tokens: number;
  readonly temperature: number;
}

/** One question to a judge, and how its reply is read. */
export interface JudgeTask<V> extends JudgeQuestionText {
  read(reply: string): Reading<V>;
}

/** Why there is no judgment. */
export type NoJudgment =
  /** The judge answered twice, and neither reply could be read. */
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason; readonly reply: string | null }
  /** The judge did not answer, so the model was not measured. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly message: string };

export type Asked<V> = { readonly kind: 'judgment'; readonly judgment: V } | NoJudgment;

/** First try and the one re-ask. */
export const TRIES = 2;

/** The calls to a judge about one trace, with what they consumed together. */
export class JudgeSession {
  readonly #usages: (JudgeUsage | null)[] = [];
  #reasks = 0;

  /** @param identity what is judged: the same seeds for the same texts */
  constructor(
    private readonly ports: ScorerPorts,
    private readonly settings: JudgeSettings,
    private readonly identity: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Over all calls, those that failed or could not be read included; null when none reported any. */
  get usage(): JudgeUsage | null {
    return sumJudgeUsage(this.#usages);
  }

  /** Questions that had to be asked twice. */
  get reasks(): number {
    return this.#reasks;
  }

  /**
   * Asks, and once more when the reply cannot be read, saying what was wrong with it.
   *
   * @param turn 0, 1, …: which question of this session; its calls get seeds of their own
   */
  async ask<V>(turn: number, task: JudgeTask<V>): Promise<Asked<V>> {
    const first = await this.#try(turn * TRIES, task, null);
    if (first.kind !== 'unreadable') return first;
    this.#reasks += 1;
    return this.#try(turn * TRIES + 1, task, first.reason);
  }

  async #try<V>(call: number, task: JudgeTask<V>, flaw: UnreadableReason | null): Promise<Asked<V>> {
    const fence = drawFence(this.ports.randomToken, task.data);
    if (fence === null) return { kind: 'unavailable', code: 'no_delimiter', message: 'every delimiter that was drawn was in the text' };
    const answer = await this.#call(judgePrompt(task, fence, flaw), call);
    if (!answer.ok) return { kind: 'unavailable', code: answer.code, message: excerpt(answer.message) };
    const reading = answer.text === null ? unreadable('unfinished_reasoning') : task.read(fence.withoutData(answer.text));
    return reading.kind === 'judgment' ? reading : { ...reading, reply: answer.text === null ? null : excerpt(answer.text) };
  }

  async #call(messages: readonly Message[], call: number): Promise<JudgeAnswer> {
    const { judge_model: judgeModel, judge_adapter: judgeAdapter, max_tokens: maxTokens, temperature } = this.settings;
    const seed = deriveSeed(0n, this.identity.toWellFormed(), call).toString();
    const answer = await this.ports.askJudge({ judgeModel, judgeAdapter, messages, maxTokens, temperature, seed }, this.signal);
    this.#usages.push(answer.usage);
    return answer;
  }
}
