import { type CompletionRequest } from './completion-request.js';
import { type Times } from './stopwatch.js';

/** Something that generates, with one model loaded, on one thread. */
export interface Contender {
  readonly name: string;
  /**
   * Generates all, greedily. Answers are bytes, each a character: the tokens of random weights are rarely text.
   *
   * @param rows sequences decoded together, for contenders that leave this to their caller
   * @throws Error when an answer is not as long as was asked for
   */
  generate(requests: readonly CompletionRequest[], rows: number): Promise<{ answers: string[]; times: Times }>;
  close(): Promise<void>;
}
