import { startPostgres } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../database.js';
import { post } from '../outbox/post.js';
import { listenForWakeups } from './listen-for-wakeups.js';

describe('listenForWakeups', () => {
  it('hears of what is written, and again after its session was ended', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    const db = openDatabase(url, { max: 2, onIdleError: () => undefined });
    let heard = 0;
    const lost: Error[] = [];
    const listener = listenForWakeups(
      url,
      () => (heard += 1),
      (error) => lost.push(error),
    );
    // The first call says that it listens now.
    await expect.poll(() => heard).toBe(1);
    await post(db, 'job.admitted', '00000000-0000-7000-8000-000000000000');
    await expect.poll(() => heard).toBe(2);

    await db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kiln-listen' AND datname = current_database()`,
    );
    await expect.poll(() => heard, { timeout: 5_000 }).toBe(3);
    expect(lost).toHaveLength(1);
    await post(db, 'job.admitted', '00000000-0000-7000-8000-000000000000');
    await expect.poll(() => heard).toBe(4);

    await listener.close();
    await db.close();
    expect(lost).toHaveLength(1);
  });
});
