import pg from 'pg';
import { isTransient } from './transient.js';

/** Something that runs SQL: the database, or a transaction on it. */
export interface Queryable {
  /** Runs one statement and answers its rows. Values go as parameters, never into the text. */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction: commits when it returns, rolls back when it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Connections in use and callers that wait for one. */
  load(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections, at most. */
  max?: number;
  /** A statement that runs longer is cancelled by the server; 0 = never. Default 30 s. */
  statementTimeoutMs?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Told of errors on idle connections (a restart of the server): they are replaced, nothing is lost. */
  onIdleError?: (error: Error) => void;
}

/** Opens a pool. No connection is made before the first query. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { statementTimeoutMs = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    // A server that vanished without a word answers no cancel: give up on the client's side a little later.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: options.applicationName ?? 'kiln',
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // Between two owners a connection has no listener for a moment, and an error event without one ends the process. Nothing is
  // lost by this: the next query on such a connection fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    query: (sql, values) => run(pool, sql, values),
    transaction: (work) => transaction(pool, work),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

async function run<Row>(client: pg.Pool | pg.ClientBase, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await client.query(sql, values as unknown[]);
  return result.rows as Row[];
}

async function transaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work({ query: (sql, values) => run(client, sql, values) });
    const { command } = await client.query('COMMIT');
    // The server answers so when a statement had failed and `work` went on in spite of it.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
    return result;
  } catch (error) {
    // A connection that was lost, or that cannot even roll back, is not given back to the pool.
    if (isTransient(error) && !(error instanceof pg.DatabaseError)) broken = error as Error;
    else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
