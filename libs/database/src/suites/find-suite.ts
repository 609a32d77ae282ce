import { type Queryable } from '../database.js';
import { SUITE_VERSION_COLUMNS, type SuiteVersion } from './suite-version.js';

/**
 * The version of a registered suite.
 *
 * @param hash an older version's; null for the newest
 */
export async function findSuite(db: Queryable, projectId: string, name: string, hash: string | null): Promise<SuiteVersion | null> {
  const [version] = await db.query<SuiteVersion>(
    `SELECT ${SUITE_VERSION_COLUMNS} FROM suites s
       JOIN suite_versions v ON v.suite_id = s.id AND CASE WHEN $3::text IS NULL THEN v.id = s.current_version_id ELSE v.hash = $3 END
      WHERE s.project_id = $1 AND s.name = $2`,
    [projectId, name, hash],
  );
  return version ?? null;
}

/** A version by its id, registered or inline. */
export async function findSuiteVersion(db: Queryable, versionId: string): Promise<SuiteVersion | null> {
  const [version] = await db.query<SuiteVersion>(`SELECT ${SUITE_VERSION_COLUMNS} FROM suite_versions v WHERE v.id = $1`, [versionId]);
  return version ?? null;
}

/** The inline suite with this content, when the project has had it before. */
export async function findInlineSuite(db: Queryable, projectId: string, hash: string): Promise<SuiteVersion | null> {
  const [version] = await db.query<SuiteVersion>(
    `SELECT ${SUITE_VERSION_COLUMNS} FROM suite_versions v
      WHERE v.project_id = $1 AND v.hash = $2 AND v.suite_id IS NULL ORDER BY v.id LIMIT 1`,
    [projectId, hash],
  );
  return version ?? null;
}

/** Names of registered suites, at most `limit`. */
export async function suiteNames(db: Queryable, projectId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT name FROM suites WHERE project_id = $1 AND name IS NOT NULL ORDER BY name LIMIT $2`,
    [projectId, limit],
  );
  return rows.map((row) => row.name);
}

/** A page of the registered suites in their newest versions, by name. */
export function listSuites(db: Queryable, page: { projectId: string; afterName: string | null; limit: number }): Promise<SuiteVersion[]> {
  return db.query<SuiteVersion>(
    `SELECT ${SUITE_VERSION_COLUMNS} FROM suites s JOIN suite_versions v ON v.id = s.current_version_id
      WHERE s.project_id = $1 AND s.name IS NOT NULL AND ($2::text IS NULL OR s.name > $2)
      ORDER BY s.name LIMIT $3`,
    [page.projectId, page.afterName, page.limit],
  );
}
