import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from './load-config.js';
import { type Reload } from './reload.js';
import { type ConfigWatch, watchConfig } from './watch-config.js';

const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const undo of cleanup.splice(0)) undo();
});

function watched(text: string): { directory: string; watch: ConfigWatch; reloads: Reload[]; errors: unknown[] } {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-watch-'));
  writeFileSync(join(directory, 'one.yaml'), text);
  symlinkSync('one.yaml', join(directory, 'kiln.yaml'));
  const reloads: Reload[] = [];
  const errors: unknown[] = [];
  const sources = { directory, env: {} };
  const watch = watchConfig({
    ...sources,
    started: loadConfig(sources),
    onReload: (change) => reloads.push(change),
    onError: (error) => errors.push(error),
    intervalMs: 20,
  });
  cleanup.push(watch.close, () => rmSync(directory, { recursive: true, force: true }));
  return { directory, watch, reloads, errors };
}

describe('watchConfig', () => {
  it('takes over a change, keeps what is in force when the file breaks, and recovers', async () => {
    const { directory, watch, reloads, errors } = watched('log:\n  level: info\n');
    writeFileSync(join(directory, 'one.yaml'), 'log:\n  level: debug\nport: 9999\n');
    await vi.waitFor(() => expect(reloads).toHaveLength(1), 5000);
    expect(reloads[0]).toMatchObject({ applied: ['log.level'], needRestart: ['port'] });
    expect(watch.current()).toMatchObject({ port: 8420, log: { level: 'debug' } });

    writeFileSync(join(directory, 'one.yaml'), 'log:\n  level: loud, longer than before\n');
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 5000);
    expect(watch.current().log.level).toBe('debug');

    writeFileSync(join(directory, 'one.yaml'), 'log:\n  level: warn\n');
    await vi.waitFor(() => expect(watch.current().log.level).toBe('warn'), 5000);
  });

  it('sees the link swap of a mounted ConfigMap', async () => {
    const { directory, watch } = watched('log:\n  level: info\n');
    writeFileSync(join(directory, 'two.yaml'), 'log:\n  level: error\n');
    symlinkSync('two.yaml', join(directory, 'next'));
    renameSync(join(directory, 'next'), join(directory, 'kiln.yaml'));
    await vi.waitFor(() => expect(watch.current().log.level).toBe('error'), 5000);
  });

  it('watches nothing without a file', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kiln-watch-'));
    cleanup.push(() => rmSync(directory, { recursive: true, force: true }));
    const started = loadConfig({ directory, env: {} });
    const watch = watchConfig({ directory, env: {}, started, onReload: () => undefined, onError: () => undefined });
    expect(watch.current()).toBe(started);
    watch.close();
  });
});
