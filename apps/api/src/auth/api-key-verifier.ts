import { type Database, findApiKey, hashApiKeyToken } from '@kiln/database';
import { timingSafeEqual } from 'node:crypto';
import { type Caller } from './caller.js';

/** How long an answer of the database is believed: after at most this long a key that was revoked elsewhere is refused. */
const TRUST_MS = 5_000;
/** Keys remembered at once. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the caller of a token. Tokens that were found are remembered for a few seconds, so that a busy client costs no query
 * per request; tokens that were not are looked up each time, so that nobody can fill the memory with guesses.
 */
export class ApiKeyVerifier {
  readonly #remembered = new Map<string, { caller: Caller; untilMs: number }>();

  constructor(
    private readonly database: Database,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** @returns null when the token is unknown, revoked or expired */
  async verify(token: string): Promise<Caller | null> {
    const hash = hashApiKeyToken(token);
    const name = hash.toString('base64');
    const known = this.#remembered.get(name);
    if (known && known.untilMs > this.nowMs()) return known.caller;
    this.#remembered.delete(name);

    const key = await findApiKey(this.database, hash);
    if (!key || !timingSafeEqual(key.tokenHash, hash)) return null;
    const caller: Caller = { keyId: key.id, keyName: key.name, projectId: key.projectId, scopes: key.scopes };
    const untilMs = Math.min(this.nowMs() + TRUST_MS, key.expiresAt?.getTime() ?? Infinity);
    this.#remember(name, caller, untilMs);
    return caller;
  }

  /** Forgets a key that was just revoked here. */
  forget(keyId: string): void {
    for (const [name, { caller }] of this.#remembered) if (caller.keyId === keyId) this.#remembered.delete(name);
  }

  #remember(name: string, caller: Caller, untilMs: number): void {
    if (this.#remembered.size >= MAX_REMEMBERED) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(name, { caller, untilMs });
  }
}
