import { describe, expect, it } from 'vitest';
import { isServerOf } from './stop-leftover.js';

describe('isServerOf', () => {
  it('knows a server by its program and its data folder', () => {
    expect(isServerOf('/opt/pg/bin/postgres -D /srv/data -p 4000', '/srv/data')).toBe(true);
  });

  it.each([
    ['another folder', '/opt/pg/bin/postgres -D /srv/other -p 4000'],
    ['another program', '/usr/bin/vim -D /srv/data'],
    ['a program with a longer name', '/opt/bin/postgres-exporter -D /srv/data'],
    ['a session of a server', 'postgres: kiln kiln 127.0.0.1(40000) idle'],
  ])('does not take %s for it', (_what, command) => {
    expect(isServerOf(command, '/srv/data')).toBe(false);
  });
});
