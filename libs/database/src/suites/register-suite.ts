import { KilnError, type ScorerProof } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database, type Queryable } from '../database.js';
import { retryTransient } from '../transient.js';
import { storeScorerProof } from './store-scorer-proof.js';
import { type NewSuiteVersion, storeSuiteVersion } from './store-suite-version.js';
import { SUITE_VERSION_COLUMNS, type SuiteVersion } from './suite-version.js';

/** How long a registration is tried again after a deadlock with another one, or while the server restarts. */
const RETRY_MS = 10_000;

/** A suite to be registered under its name. */
export interface NewSuite extends NewSuiteVersion {
  scorerProof: ScorerProof;
}

export interface RegisteredSuite {
  status: 'created' | 'overwritten';
  version: SuiteVersion;
}

/**
 * Registers a suite under its name: a new version, or the version that has this content already. All in one transaction, so
 * whatever fails stores nothing.
 *
 * @param force a suite of this name may exist; its older versions stay
 * @throws KilnError `eval_suite_exists` when the name is taken and `force` is false
 */
export function registerSuite(db: Database, suite: NewSuite, force: boolean, actor: Actor): Promise<RegisteredSuite> {
  return retryTransient(() => db.transaction((tx) => register(tx, suite, force, actor)), RETRY_MS);
}

async function register(tx: Queryable, suite: NewSuite, force: boolean, actor: Actor): Promise<RegisteredSuite> {
  const { projectId, header, hash, scorerProof } = suite;
  const { id, isNew } = await lockName(tx, projectId, header.name);
  if (!isNew && !force) throw await nameTaken(tx, id, header.name, hash);

  const version = (await findVersion(tx, id, hash)) ?? (await storeSuiteVersion(tx, suite, { id, number: await nextNumber(tx, id) }));
  await storeScorerProof(tx, version.id, scorerProof);
  await tx.query(`UPDATE suites SET current_version_id = $2, updated_at = now() WHERE id = $1`, [id, version.id]);
  await recordAudit(tx, {
    projectId,
    ...actor,
    action: 'suite.register',
    subject: header.name,
    detail: { hash, version: version.number, examples: version.exampleCount },
  });
  return { status: isNew ? 'created' : 'overwritten', version: { ...version, scorerProof } };
}

/** The suite's row, locked: registrations of one name go one after the other. */
async function lockName(tx: Queryable, projectId: string, name: string): Promise<{ id: string; isNew: boolean }> {
  const [made] = await tx.query<{ id: string }>(
    `INSERT INTO suites (id, project_id, name) VALUES ($1, $2, $3) ON CONFLICT (project_id, name) DO NOTHING RETURNING id`,
    [uuid(), projectId, name],
  );
  if (made) return { id: made.id, isNew: true };
  const [known] = await tx.query<{ id: string }>(`SELECT id FROM suites WHERE project_id = $1 AND name = $2 FOR UPDATE`, [projectId, name]);
  // Deleted between the two statements: the name is free now.
  return known ? { id: known.id, isNew: false } : lockName(tx, projectId, name);
}

async function nameTaken(tx: Queryable, suiteId: string, name: string, hash: string): Promise<KilnError> {
  const [current] = await tx.query<{ hash: string }>(
    `SELECT v.hash FROM suites s JOIN suite_versions v ON v.id = s.current_version_id WHERE s.id = $1`,
    [suiteId],
  );
  const same = current?.hash === hash;
  return new KilnError(
    'eval_suite_exists',
    `name: a suite named ${JSON.stringify(name)} exists${same ? ' with exactly this content' : ''}`,
    {
      path: 'name',
      hint: same ? 'Use it as it is.' : 'Send force=true to make this its new version, or choose another name.',
    },
  );
}

async function findVersion(tx: Queryable, suiteId: string, hash: string): Promise<SuiteVersion | null> {
  const [version] = await tx.query<SuiteVersion>(
    `SELECT ${SUITE_VERSION_COLUMNS} FROM suite_versions v WHERE v.suite_id = $1 AND v.hash = $2`,
    [suiteId, hash],
  );
  return version ?? null;
}

async function nextNumber(tx: Queryable, suiteId: string): Promise<number> {
  const [row] = await tx.query<{ next: number }>(`SELECT coalesce(max(number), 0) + 1 AS next FROM suite_versions WHERE suite_id = $1`, [
    suiteId,
  ]);
  return row?.next ?? 1;
}
