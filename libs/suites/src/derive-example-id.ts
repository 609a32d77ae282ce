import { type Example } from '@kiln/contracts';
import { sha256Hex } from '@kiln/provenance';

const NUL = '\u0000';

/**
 * The id of an example that was written without one (contracts.md §1.2): SHA-256 over each message's role, NUL, content,
 * NUL, then `|t|` and the target where there is one, then `|a|` and the alias for each alias, all UTF-8; the first 8
 * bytes in lowercase hex.
 *
 * Tool calls and pinned history are not covered, so examples that differ only in those need written ids.
 */
export function deriveExampleId(example: Pick<Example, 'messages' | 'target' | 'aliases'>): string {
  const messages = example.messages.map(({ role, content }) => `${role}${NUL}${content}${NUL}`).join('');
  const target = example.target === null ? '' : `|t|${example.target}`;
  const aliases = example.aliases.map((alias) => `|a|${alias}`).join('');
  return sha256Hex(messages + target + aliases).slice(0, 16);
}
