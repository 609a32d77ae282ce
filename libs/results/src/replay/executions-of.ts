import { ExecutionProvenanceRecord } from '@kiln/contracts';
import { type Database, readProvenances } from '@kiln/database';
import { executionProvenanceHash } from '@kiln/provenance';

/** What executed a run, once for each set of pinned facts, by their hash. */
export type Executions = ReadonlyMap<string, ExecutionProvenanceRecord>;

/** Reads what these numbers of execution provenances stand for. Those that are no typed record are left out. */
export async function executionsOf(db: Database, ids: ReadonlySet<number>): Promise<Executions> {
  const executions = new Map<string, ExecutionProvenanceRecord>();
  for (const [, body] of await readProvenances(
    db,
    [...ids].toSorted((a, b) => a - b),
  )) {
    const record = ExecutionProvenanceRecord.safeParse(body);
    if (record.success) executions.set(executionProvenanceHash(record.data), record.data);
  }
  return executions;
}
