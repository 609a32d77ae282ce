import { type Example, type Message, type SuiteHeader } from '@kiln/contracts';

/**
 * The conversation that a target is given: pinned history, then the example's messages, and in front of them the suite's
 * system prompt, unless they already begin with a system message of their own.
 */
export function promptMessages(
  header: Pick<SuiteHeader, 'system_prompt'>,
  example: Pick<Example, 'messages' | 'pinned_history'>,
): Message[] {
  const conversation = [...(example.pinned_history ?? []), ...example.messages];
  if (header.system_prompt === null || conversation[0]?.role === 'system') return conversation;
  return [{ role: 'system', content: header.system_prompt }, ...conversation];
}
