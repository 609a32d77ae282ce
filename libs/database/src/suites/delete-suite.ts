import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database } from '../database.js';

/**
 * Frees a suite's name. Its versions stay, because jobs refer to them.
 *
 * @returns false when the project has no suite of that name
 */
export function deleteSuite(db: Database, projectId: string, name: string, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    const freed = await tx.query(`UPDATE suites SET name = NULL, updated_at = now() WHERE project_id = $1 AND name = $2 RETURNING id`, [
      projectId,
      name,
    ]);
    if (freed.length === 0) return false;
    await recordAudit(tx, { projectId, ...actor, action: 'suite.delete', subject: name });
    return true;
  });
}
