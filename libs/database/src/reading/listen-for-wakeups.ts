import pg from 'pg';
import { WAKE_CHANNEL } from '../outbox/post.js';

const RECONNECT_MS = 1_000;
/** A server that vanished without a word closes nothing: it is asked this often. */
const PROBE_MS = 10_000;

export interface WakeupListener {
  close(): Promise<void>;
}

/**
 * Calls `onWake` whenever something may have changed in the record (the outbox was written), on a session of its own that is
 * made anew when it is lost. A wake-up is only a hint: whoever needs it must also look from time to time.
 *
 * @param onLost told once when wake-ups stop coming, with the reason, and again only after they came back
 */
export function listenForWakeups(url: string, onWake: () => void, onLost: (error: Error) => void): WakeupListener {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let told = false;

  const connect = async (): Promise<void> => {
    const session = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      keepAlive: true,
      application_name: 'kiln-listen',
    });
    client = session;
    const lose = once((error: Error) => {
      clearInterval(probe);
      session.end().catch(() => undefined);
      if (closed) return;
      if (!told) onLost(error);
      told = true;
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    });
    const probe = setInterval(() => void session.query('SELECT 1').catch(lose), PROBE_MS);
    session.on('error', lose);
    session.on('end', () => lose(new Error('the session ended')));
    session.on('notification', onWake);
    try {
      await session.connect();
      await session.query(`LISTEN ${WAKE_CHANNEL}`);
      told = false;
      // What was written while nobody listened.
      onWake();
    } catch (error) {
      lose(error as Error);
    }
  };
  void connect();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

function once<T>(call: (value: T) => void): (value: T) => void {
  let called = false;
  return (value) => {
    if (called) return;
    called = true;
    call(value);
  };
}
