import { hashApiKeyToken, findApiKey, openDatabase } from '@kiln/database';
import { startPostgres } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { runCli } from '../run-cli.js';

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const output = { stdout: { write: (text: string) => (out += text) }, stderr: { write: (text: string) => (err += text) } };
  const code = await runCli(argv, { root: '/nowhere', version: '0', env: {}, ...output });
  return { code, out, err };
}

describe('commands that go straight to the database', () => {
  it('prepare an empty one, and make its first key', async () => {
    const url = await (await startPostgres()).createEmptyDatabase();
    const create = ['keys', 'create', '--name', 'admin', '--scope', 'ops', '--scope', 'eval:read', '--database-url', url];
    expect(await run(...create)).toMatchObject({ code: 1, err: expect.stringContaining('run kiln migrate first') as unknown });

    expect((await run('migrate', '--database-url', url)).out).toMatch(/^applied \d{14}_init/);
    expect((await run('migrate', '--database-url', url)).out).toBe('nothing to do\n');

    const { code, out, err } = await run(...create);
    expect(code).toBe(0);
    expect(out).toMatch(/^kiln_[\w-]{43}\n$/);
    expect(err).toContain('admin: ops, eval:read');
    const db = openDatabase(url, { max: 1 });
    try {
      expect(await findApiKey(db, hashApiKeyToken(out.trim()))).toMatchObject({ name: 'admin', scopes: ['ops', 'eval:read'] });
    } finally {
      await db.close();
    }
    expect(await run(...create)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('a key named "admin" exists') as unknown });
  });

  it('say what is wrong when the database is not there', async () => {
    const { code, err } = await run('migrate', '--database-url', 'postgresql://kiln@127.0.0.1:2/kiln');
    expect(code).toBe(1);
    expect(err).toMatch(/the database refused: .*ECONNREFUSED/);
    expect((await run('migrate')).err).toContain('give --database-url or KILN_DATABASE_URL');
  });
});
