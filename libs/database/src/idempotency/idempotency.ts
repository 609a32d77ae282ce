import { KilnError } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** What a caller sent to be able to send it again. */
export interface IdempotentRequest {
  projectId: string;
  /** Operation id of the route. */
  route: string;
  key: string;
  /** Digest of the body: the same key with another body is refused. */
  bodyDigest: string;
}

export interface IdempotentResponse {
  status: number;
  response: unknown;
}

/**
 * The answer that an equal request got within the last 24 hours, or null.
 *
 * @throws KilnError `idempotency_key_reused` when the key came with another body
 */
export async function findIdempotentResponse(db: Queryable, request: IdempotentRequest): Promise<IdempotentResponse | null> {
  const [stored] = await db.query<IdempotentResponse & { bodyDigest: string }>(
    `SELECT status, response, body_digest AS "bodyDigest" FROM idempotency_keys
      WHERE project_id = $1 AND route = $2 AND key = $3 AND created_at > now() - interval '24 hours'`,
    [request.projectId, request.route, request.key],
  );
  if (!stored) return null;
  if (stored.bodyDigest !== request.bodyDigest) {
    throw new KilnError('idempotency_key_reused', 'this Idempotency-Key was sent before with another body', {
      hint: 'Send the first body again to get its answer, or use a new key for a new request.',
    });
  }
  return { status: stored.status, response: stored.response };
}

/** Keeps the answer, in the transaction that it answers for. A row older than 24 hours is replaced. */
export async function storeIdempotentResponse(tx: Queryable, request: IdempotentRequest, answer: IdempotentResponse): Promise<void> {
  await tx.query(
    `INSERT INTO idempotency_keys (project_id, route, key, body_digest, status, response) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (project_id, route, key) DO UPDATE
       SET body_digest = EXCLUDED.body_digest, status = EXCLUDED.status, response = EXCLUDED.response, created_at = now()
       WHERE idempotency_keys.created_at <= now() - interval '24 hours'`,
    [request.projectId, request.route, request.key, request.bodyDigest, answer.status, JSON.stringify(answer.response)],
  );
}

/** Removes answers that are no longer given, older than `days`. */
export async function pruneIdempotentResponses(db: Queryable, days: number): Promise<void> {
  await db.query(`DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(days => $1)`, [days]);
}
