import pg from 'pg';

/** Rows of one transaction: as many samples as the largest shard has. */
const BATCH = 512;

interface Column {
  name: string;
  type: string;
}

/** Tables that a sample is written to, with the condition that picks a run's rows and the order in which they were made. */
const TABLES = [
  { name: 'traces', from: 'traces s', order: 's.ordinal, s.completion_index' },
  { name: 'scores', from: 'scores s JOIN traces t ON t.id = s.trace_id', order: 't.ordinal, t.completion_index' },
  { name: 'outcomes', from: 'outcomes s', order: 's.ordinal, s.completion_index' },
] as const;

/**
 * The least that storing a run's samples can cost: the same rows, into tables with the same columns and indexes on the same
 * server, 512 samples a transaction, over one connection, and nothing else. What Kiln takes beyond it is its overhead.
 */
export class InsertBaseline {
  readonly #client: pg.Client;
  readonly #columns = new Map<string, Column[]>();

  private constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url, application_name: 'kiln-bench' });
  }

  static async open(url: string): Promise<InsertBaseline> {
    const baseline = new InsertBaseline(url);
    await baseline.#client.connect();
    await baseline.#client.query('CREATE SCHEMA baseline');
    for (const { name } of TABLES) {
      await baseline.#client.query(`CREATE TABLE baseline.${name} (LIKE public.${name} INCLUDING ALL)`);
      baseline.#columns.set(name, await baseline.#readColumns(name));
    }
    return baseline;
  }

  /** Makes the server write what is due, so that it does not do so while something is timed. */
  async checkpoint(): Promise<void> {
    await this.#client.query('CHECKPOINT');
  }

  /** What one commit takes at least: the median of many single-row transactions, in ms. */
  async commitMs(): Promise<number> {
    await this.#client.query('CREATE TABLE IF NOT EXISTS baseline.commits (n int)');
    const times: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      const from = performance.now();
      await this.#client.query('INSERT INTO baseline.commits VALUES ($1)', [n]);
      times.push(performance.now() - from);
    }
    return times.toSorted((a, b) => a - b)[50]!;
  }

  /** Server version and the settings that decide how durable a commit is. */
  async server(): Promise<{ version: string; fsync: string; synchronousCommit: string }> {
    const { rows } = await this.#client.query<{ version: string; fsync: string; commit: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS commit`,
    );
    return { version: rows[0]!.version, fsync: rows[0]!.fsync, synchronousCommit: rows[0]!.commit };
  }

  /**
   * Writes the rows of a job's only run again. Reading them is not timed.
   *
   * @returns ms that the transactions took
   */
  async insertAgain(jobId: string): Promise<number> {
    await this.#client.query(`TRUNCATE ${TABLES.map(({ name }) => `baseline.${name}`).join(', ')}`);
    const { rows } = await this.#client.query<{ id: string }>('SELECT id FROM public.runs WHERE job_id = $1', [jobId]);
    const runId = rows[0]!.id;
    await this.checkpoint();
    let spentMs = 0;
    for (let first = 0; ; first += BATCH) {
      const pages: unknown[][][] = [];
      for (const table of TABLES) pages.push(await this.#readPage(table, runId, first));
      if (pages[0]![0]!.length === 0) return spentMs;
      const from = performance.now();
      await this.#client.query('BEGIN');
      for (const [index, { name }] of TABLES.entries()) await this.#insertPage(name, pages[index]!);
      await this.#client.query('COMMIT');
      spentMs += performance.now() - from;
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #readColumns(table: string): Promise<Column[]> {
    const { rows } = await this.#client.query<Column>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
      [`public.${table}`],
    );
    return rows;
  }

  /** The values of a page, column by column, as text that their types accept. */
  async #readPage({ name, from, order }: (typeof TABLES)[number], runId: string, first: number): Promise<unknown[][]> {
    const columns = this.#columns.get(name)!;
    const run = name === 'scores' ? 't.run_id' : 's.run_id';
    const ordinal = name === 'scores' ? 't.ordinal' : 's.ordinal';
    const { rows } = await this.#client.query<unknown[]>({
      text: `SELECT ${columns.map((column) => `s.${column.name}::text`).join(', ')} FROM public.${from}
              WHERE ${run} = $1 AND ${ordinal} >= $2 AND ${ordinal} < $3 ORDER BY ${order}`,
      values: [runId, first, first + BATCH],
      rowMode: 'array',
    });
    return columns.map((_, index) => rows.map((row) => row[index]));
  }

  async #insertPage(table: string, values: unknown[][]): Promise<void> {
    const columns = this.#columns.get(table)!;
    const names = columns.map(({ name }) => name).join(', ');
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    await this.#client.query(`INSERT INTO baseline.${table} (${names}) SELECT * FROM unnest(${arrays})`, values);
  }
}
