import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPostgresPrograms, nativeFolder } from './postgres-programs.js';
import { scratchFolder } from './process-guard.js';

describe.skipIf(process.getuid?.() !== 0)('findPostgresPrograms as root', () => {
  it('copies the programs when a 0700 home hides them from the user that runs them', () => {
    const home = scratchFolder('home');
    const clone = join(home, 'native');
    cpSync(nativeFolder(), clone, { recursive: true, verbatimSymlinks: true });
    chmodSync(home, 0o700);
    const programs = findPostgresPrograms(clone);
    expect(programs.postgres.startsWith(home)).toBe(false);
    expect(execFileSync(programs.postgres, ['--version'], { ...programs.runAs, cwd: '/', encoding: 'utf8' })).toMatch(/PostgreSQL\) 18/);
  });
});
