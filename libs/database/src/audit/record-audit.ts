import { type Queryable } from '../database.js';
import { type Actor } from './actor.js';

export interface AuditEntry extends Actor {
  projectId: string;
  /** Noun and verb: `suite.register`, `key.revoke`. */
  action: string;
  /** Id or name of what was acted on. */
  subject: string | null;
  detail?: Record<string, unknown>;
}

/** Notes an action, in the transaction that does it: what was rolled back leaves no trace, what was done always does. */
export async function recordAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.query(`INSERT INTO audit_log (project_id, actor, source, action, subject, detail) VALUES ($1, $2, $3, $4, $5, $6)`, [
    entry.projectId,
    entry.actor,
    entry.source,
    entry.action,
    entry.subject,
    JSON.stringify(entry.detail ?? {}),
  ]);
}
