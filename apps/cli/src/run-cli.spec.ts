import { describe, expect, it } from 'vitest';
import { captureCli } from './capture-cli.fixture.js';

const COMMANDS = [
  [],
  ['eval'],
  ['keys'],
  ['demo'],
  ['up'],
  ['down'],
  ['status'],
  ['test'],
  ['migrate'],
  ['eval', 'list'],
  ['eval', 'register'],
  ['eval', 'prove-scorers'],
  ['eval', 'run'],
  ['eval', 'compare'],
  ['eval', 'probe'],
  ['eval', 'jobs'],
  ['eval', 'show'],
  ['eval', 'cancel'],
  ['eval', 'outcomes'],
  ['models', 'check'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'revoke'],
];

describe('the command line', () => {
  it.each(COMMANDS.map((words) => words.join(' ')))('has help with examples: kiln %s', async (command) => {
    const { code, out } = await captureCli(...command.split(' ').filter((word) => word !== ''), '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/Examples:\n {2}\S/);
  });

  it('shows its version', async () => {
    expect(await captureCli('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });

  it.each([
    ['an unknown command', ['eval', 'frobnicate'], /unknown command/],
    ['an unknown option', ['eval', 'list', '--frob'], /unknown option '--frob'/],
    ['a missing option', ['eval', 'compare', '--suite', 's'], /--adapter/],
    ['a comparison with nothing', ['eval', 'compare', '--suite', 's', '--adapter', 'a'], /nothing to compare it with\n.*--baseline/],
    ['a missing argument', ['eval', 'show'], /missing required argument 'job'/],
    ['a seed above 2^64−1', ['eval', 'run', '--suite', 's', '--seed', '18446744073709551616'], /--seed/],
    [
      'a scorer that a probe does not have',
      ['eval', 'probe', '--prompt', 'p', '--target', 't', '--scorer', 'vibes'],
      /exact_match, contains, numeric, numeric_tolerance, regex/,
    ],
    ['a server that is no URL', ['eval', 'list', '--server', 'ftp://x'], /is no http or https URL/],
    ['neither a suite nor a file', ['eval', 'run'], /exactly one of --suite and --file/],
    ['a file that does not exist', ['eval', 'register', '--file', '/nowhere/suite.json'], /does not exist/],
    ['a list longer than a page', ['eval', 'jobs', '--limit', '1001'], /at most 1000/],
    [
      'a key without a name',
      ['keys', 'create', '--name', ' ', '--scope', 'ops', '--database-url', 'postgres://x'],
      /name: must not be blank/,
    ],
    ['a scope twice', ['keys', 'create', '--name', 'n', '--scope', 'ops', '--scope', 'ops'], /scope twice/],
    ['a scope that does not exist', ['keys', 'create', '--name', 'n', '--scope', 'everything'], /eval:read/],
  ])('answers %s with exit code 2 and says what is wrong', async (_what, argv, message) => {
    const { code, out, err } = await captureCli(...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(out).toBe('');
  });

  it('answers with exit code 3 when no server is there, and says how to start one', async () => {
    const { code, err } = await captureCli('eval', 'list', '--json', '--server', 'http://127.0.0.1:2');
    expect(code).toBe(3);
    expect(err).toContain('start one with ./kiln up');
  });
});
