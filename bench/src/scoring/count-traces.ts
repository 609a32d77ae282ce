import pg from 'pg';

/** Traces that the database holds. */
export async function countTraces(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM traces');
    return rows[0]!.n;
  } finally {
    await client.end();
  }
}
