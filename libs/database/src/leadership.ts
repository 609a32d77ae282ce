import pg from 'pg';
import { WAKE_CHANNEL } from './outbox/post.js';

/** Any constant will do, as long as nothing else locks it: "lead" in ASCII. */
const LEADER_LOCK = 0x6c656164;
const PROBE_MS = 5_000;

export interface Leadership {
  /** Gives the lead up. */
  release(): Promise<void>;
}

/**
 * Tries to become the one scheduler: a session lock on a connection of its own, which the server frees when that connection
 * ends. The same connection listens for wake-ups, so whoever leads is woken and nobody else is. The lead is only for order:
 * every action of a scheduler is a compare-and-set that two of them could do at once.
 *
 * @param onWake something was written to the outbox
 * @param onLost the connection ended: stop deciding
 * @returns null when another process leads
 */
export async function tryLead(url: string, onWake: () => void, onLost: () => void): Promise<Leadership | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000, keepAlive: true });
  let leading = false;
  const lose = (): void => {
    if (!leading) return;
    leading = false;
    clearInterval(probe);
    client.end().catch(() => undefined);
    onLost();
  };
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', onWake);
  await client.connect();
  try {
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [LEADER_LOCK]);
    if (!rows[0]?.won) {
      await client.end();
      return null;
    }
    await client.query(`LISTEN ${WAKE_CHANNEL}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  leading = true;
  // A server that vanished without a word closes nothing: ask it.
  const probe = setInterval(() => void client.query('SELECT 1').catch(lose), PROBE_MS);
  return {
    async release() {
      leading = false;
      clearInterval(probe);
      await client.end();
    },
  };
}
