import { type Message } from '@kiln/contracts';
import { z } from 'zod';
import { openAiCall, type WrittenCall } from '../tool-call-forms.js';

/** One turn as ShareGPT writes it. */
export const ShareGptTurn = z.object({
  from: z.enum(['system', 'human', 'gpt', 'function_call', 'observation']),
  value: z.string(),
});
export type ShareGptTurn = z.infer<typeof ShareGptTurn>;

/** @throws when a call is not JSON */
export function shareGptCall({ value }: ShareGptTurn): WrittenCall {
  return z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) }).parse(JSON.parse(value)) as WrittenCall;
}

const ROLES = { system: 'system', human: 'user', gpt: 'assistant', observation: 'tool' } as const;

/** A call becomes a message of the assistant. */
export function shareGptMessages(turns: readonly ShareGptTurn[]): Message[] {
  return turns.map((turn, position) =>
    turn.from === 'function_call'
      ? { role: 'assistant', content: '', tool_calls: [openAiCall(shareGptCall(turn), position)] }
      : { role: ROLES[turn.from], content: turn.value },
  );
}
