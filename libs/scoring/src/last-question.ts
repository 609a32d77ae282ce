import { type Message } from '@kiln/contracts';

/** What the model was asked: its last user message; undefined when there is none. */
export function findLastQuestion(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.content;
}

/** The same as text that is shown: empty when there is none. */
export function lastQuestion({ messages }: { readonly messages: readonly Message[] }): string {
  return findLastQuestion(messages) ?? '';
}
