import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ScorerProof } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureCli } from '../capture-cli.fixture.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kiln-prove-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const prove = (...argv: string[]) => captureCli('eval', 'prove-scorers', ...argv);

/** A suite file of two examples under `scorer`. */
function suiteFile(scorer: object, more: object = {}): string {
  const file = path.join(folder, `${Math.random()}.json`);
  const examples = ['5', '-12'].map((target) => ({ id: `is ${target}`, messages: [{ role: 'user', content: 'q' }], target }));
  writeFileSync(file, JSON.stringify({ name: 'to-prove', schema_version: 2, default_scorer: scorer, examples, ...more }));
  return file;
}

const BROKEN = { kind: 'contains', phrases: ['5'] };

describe('kiln eval prove-scorers --file', () => {
  it('needs no server, and ends with 0 for a sound scorer', async () => {
    const { code, out } = await prove('--file', suiteFile({ kind: 'numeric_tolerance' }));
    expect(out).toContain('to-prove · 2 of 2 examples tried · 0 false accepts, 0 false rejects');
    expect(out).toMatch(/numeric_tolerance +is 5 +2 +2 +\d+ kinds of answers, all graded as they should be/);
    expect(code).toBe(0);
  });

  it('shows what a broken one accepts, and ends with 1', async () => {
    const { code, out } = await prove('--file', suiteFile(BROKEN));
    expect(out).toMatch(/contains +times_ten +not pass +2 +2 +is 5 +"50"/);
    expect(out).toContain('cannot gate');
    expect(code).toBe(1);
  });

  it('ends with 0 when the suite says why it may gate, and shows that', async () => {
    const { code, out } = await prove('--file', suiteFile(BROKEN, { scorer_waiver: 'Only one digit\u001b[2J is ever asked for.' }));
    expect(out).toContain('it says why: Only one digit\\x1b[2J is ever asked for.');
    expect(code).toBe(0);
  });

  it('ends with 0 for false rejects alone: they can cost a verdict, never buy one', async () => {
    const { code, out } = await prove('--file', suiteFile({ kind: 'regex', pattern: '^(\\d+)$', capture_group: 1 }));
    expect(out).toMatch(/regex +target +pass +1 +2 +is -12 +"-12"/);
    expect(code).toBe(0);
  });

  it('says that nothing was proved when nothing could be tried, and why', async () => {
    const examples = [{ id: 'open', messages: [{ role: 'user', content: 'q' }] }];
    const scorer = { kind: 'regex', pattern: '^ok$' };
    const { code, out } = await prove('--file', suiteFile(scorer, { examples }));
    expect(out).toMatch(/^to-prove · nothing was proved, none of 1 example could be tried: its examples have no target\n/);
    expect(out).not.toContain('false accepts');
    expect(code).toBe(0);
  });

  it('prints one JSON document with --json', async () => {
    const { out } = await prove('--file', suiteFile(BROKEN), '--json');
    const { name, scorer_waiver, scorer_proof } = JSON.parse(out) as { name: string; scorer_waiver: null; scorer_proof: ScorerProof };
    expect([name, scorer_waiver]).toEqual(['to-prove', null]);
    expect(scorer_proof.groups).toMatchObject([{ scorer_kind: 'contains', scorer_identity: expect.stringMatching(/^sha256:/) }]);
  });

  it.each([
    ['neither suite nor file', [], /exactly one of --suite and --file/],
    ['both', ['--suite', 's', '--file', 'f'], /exactly one of --suite and --file/],
    ['a file that is not there', ['--file', '/nowhere/x.json'], /does not exist/],
  ])('refuses %s with exit code 2', async (_, argv, message) => {
    const { code, err } = await prove(...argv);
    expect([code, message.test(err)]).toEqual([2, true]);
  });
});
