import { type Actor } from '@kiln/database';
import { type Caller } from '../auth/caller.js';

/** The caller as audit rows and jobs name it. */
export function actorOf(caller: Caller): Actor {
  return { actor: caller.keyName, source: 'rest' };
}
