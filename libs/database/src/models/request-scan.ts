import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database } from '../database.js';
import { WORKER_SILENT_SECONDS } from './served-model.js';

/**
 * Asks every worker to scan its model directory again: each compares the number it scanned under with its heartbeats' answer.
 *
 * @returns how many live workers will see it
 */
export function requestScan(db: Database, projectId: string, actor: Actor): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(`UPDATE control SET scan_epoch = scan_epoch + 1, updated_at = now() WHERE id = 1`);
    await recordAudit(tx, { projectId, ...actor, action: 'models.scan', subject: null });
    const [live] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM workers WHERE heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds'`,
    );
    return live?.count ?? 0;
  });
}
