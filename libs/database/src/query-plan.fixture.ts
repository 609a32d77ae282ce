import { type Database, type Queryable } from './database.js';

/** What the server did for one statement. */
export interface QueryPlan {
  sql: string;
  /** Milliseconds, planning and execution. */
  ms: number;
  /** Tables that were read from end to end. */
  seqScans: string[];
  /** Rows that tables and indexes gave, over all loops. */
  read: number;
  /** Rows that were read and thrown away. */
  removed: number;
  /** The whole plan, to be shown when an expectation fails. */
  text: string;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

interface Explained {
  Plan: Node;
  'Planning Time': number;
  'Execution Time': number;
}

/**
 * Explains every statement that `work` runs, inside a transaction that is rolled back. Statements answer no rows, so what `work`
 * would do with them is not seen.
 *
 * @param randomPageCost default as on the disks that servers have: Postgres's own, 4, takes a read by index for dearer than it is
 */
export async function explain(
  db: Database,
  work: (db: Database) => Promise<unknown>,
  { randomPageCost = 1.1 }: { randomPageCost?: number } = {},
): Promise<QueryPlan[]> {
  const plans: QueryPlan[] = [];
  const rollback = new Error('rollback');
  const done = db.transaction(async (tx) => {
    await tx.query(`SET LOCAL random_page_cost = ${randomPageCost}`);
    const query: Queryable['query'] = async <Row>(sql: string, values?: readonly unknown[]): Promise<Row[]> => {
      const [row] = await tx.query<{ 'QUERY PLAN': [Explained] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
      plans.push(describePlan(sql, row!['QUERY PLAN'][0]));
      return [];
    };
    const explaining: Database = { ...db, query, transaction: (inner) => inner({ query }) };
    await work(explaining);
    throw rollback;
  });
  await done.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return plans;
}

function describePlan(sql: string, explained: Explained): QueryPlan {
  const nodes = flatten(explained.Plan);
  return {
    sql,
    ms: explained['Planning Time'] + explained['Execution Time'],
    seqScans: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!),
    read: nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0),
    removed: nodes.reduce(
      (sum, node) => sum + ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'],
      0,
    ),
    text: JSON.stringify(explained.Plan, null, 1),
  };
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
