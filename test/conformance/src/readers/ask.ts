import { type Message } from '@kiln/contracts';

/** The messages of a single question. */
export function ask(content: string): Message[] {
  return [{ role: 'user', content }];
}
