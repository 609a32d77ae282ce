import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BoundedLog } from './bounded-log.js';

describe('BoundedLog', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kiln-log-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps the newest text, and at most twice its limit', () => {
    const log = new BoundedLog(path.join(folder, 'a.log'), 100);
    for (let line = 0; line < 50; line += 1) log.write(`line ${line}\n`);
    const [now, before] = [readFileSync(log.file, 'utf8'), readFileSync(`${log.file}.1`, 'utf8')];
    expect(now.length).toBeLessThanOrEqual(100);
    expect(before.length).toBeLessThanOrEqual(100);
    expect(log.tail(2)).toBe('line 48\nline 49');
  });

  it('goes on with a file that an earlier start wrote', () => {
    new BoundedLog(path.join(folder, 'a.log'), 100).write('x'.repeat(90));
    const log = new BoundedLog(path.join(folder, 'a.log'), 100);
    log.write('y'.repeat(20));
    expect(readFileSync(log.file, 'utf8')).toBe('y'.repeat(20));
    expect(readFileSync(`${log.file}.1`, 'utf8')).toBe('x'.repeat(90));
  });

  it('does not fail where it cannot write', () => {
    const log = new BoundedLog(path.join(folder, 'missing', 'a.log'));
    expect(() => log.write('lost\n')).not.toThrow();
    expect(log.tail(1)).toBe('');
  });
});
