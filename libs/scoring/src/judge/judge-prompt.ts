import { type Message } from '@kiln/contracts';
import { type DataFence } from './data-fence.js';
import { CORRECTIONS, type UnreadableReason } from './reading.js';

/** A question to a judge, written anew for every call because its delimiters are. */
export interface JudgeQuestionText {
  readonly system: string | null;
  /** Every text that is shown as data. */
  readonly data: readonly string[];
  write(fence: DataFence): string;
}

/**
 * What a judge is sent. One user message, because not every chat template knows a system role or two users in a row; the
 * system message is only there when the suite wrote one. A second try is the same question with what was wrong: the first
 * reply is not repeated, so that a prompt has a bound and a reply that was led astray leads nobody else.
 *
 * @param flaw what was wrong with the first reply; null on the first try
 */
export function judgePrompt(question: JudgeQuestionText, fence: DataFence, flaw: UnreadableReason | null): Message[] {
  const again = flaw === null ? [] : [`Your reply to this could not be read: ${CORRECTIONS[flaw]}. Reply again.`];
  const content = [fence.notice, question.write(fence), ...again].join('\n\n');
  const system: Message[] = question.system === null ? [] : [{ role: 'system', content: question.system }];
  return [...system, { role: 'user', content }];
}
