import { hashApiKeyToken, findApiKey, openDatabase } from '@kiln/database';
import { startPostgres } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { captureCli } from '../capture-cli.fixture.js';

describe('commands that go straight to the database', () => {
  it('prepare an empty one, and make its first key', async () => {
    const url = await (await startPostgres()).createEmptyDatabase();
    const create = ['keys', 'create', '--name', 'admin', '--scope', 'ops', '--scope', 'eval:read', '--database-url', url];
    expect(await captureCli(...create)).toMatchObject({ code: 1, err: expect.stringContaining('run kiln migrate first') as unknown });

    expect((await captureCli('migrate', '--database-url', url)).out).toMatch(/^applied \d{14}_init/);
    expect((await captureCli('migrate', '--database-url', url)).out).toBe('nothing to do\n');

    const { code, out, err } = await captureCli(...create);
    expect(code).toBe(0);
    expect(out).toMatch(/^kiln_[\w-]{43}\n$/);
    expect(err).toContain('admin: ops, eval:read');
    const db = openDatabase(url, { max: 1 });
    try {
      expect(await findApiKey(db, hashApiKeyToken(out.trim()))).toMatchObject({ name: 'admin', scopes: ['ops', 'eval:read'] });
    } finally {
      await db.close();
    }
    expect(await captureCli(...create)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('a key named "admin" exists') as unknown,
    });
  });

  it('say what is wrong when the database is not there', async () => {
    const { code, err } = await captureCli('migrate', '--database-url', 'postgresql://kiln@127.0.0.1:2/kiln');
    expect(code).toBe(1);
    expect(err).toMatch(/the database refused: .*ECONNREFUSED/);
    expect((await captureCli('migrate')).err).toContain('give --database-url or KILN_DATABASE_URL');
  });
});
