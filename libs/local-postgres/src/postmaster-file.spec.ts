import { describe, expect, it } from 'vitest';
import { parsePostmasterFile } from './postmaster-file.js';

describe('parsePostmasterFile', () => {
  it('reads what a running server writes', () => {
    const text = '4711\n/srv/kiln/data\n1764445683\n40123\n\n127.0.0.1\n  1234  5678\nready   \n';
    expect(parsePostmasterFile(text)).toEqual({ pid: 4711, dataDir: '/srv/kiln/data', port: 40123, status: 'ready' });
  });

  it('reads the first lines of a server that is still starting', () => {
    expect(parsePostmasterFile('4711\n/srv/kiln/data\n1764445683\n')).toEqual({
      pid: 4711,
      dataDir: '/srv/kiln/data',
      port: null,
      status: '',
    });
  });

  it.each(['', '\n', 'x\n', '0\n', '-4711\n'])('finds no server in %j', (text) => {
    expect(parsePostmasterFile(text)).toBeNull();
  });
});
