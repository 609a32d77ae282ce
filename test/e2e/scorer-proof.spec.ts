import { requireProgram } from '@kiln/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ScorerProof } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFleet } from './fleet.fixture.js';

const JUDGE = { kind: 'llm_judge', template: 'Asked: {question}\nWanted: {target}\nGiven: {answer}\nEnd with "Score: 0" or "Score: 1".' };

describe.skipIf(requireProgram('redis-server') === null)('kiln eval prove-scorers --executed', () => {
  const fleet = useFleet({ workers: 1, slots: 4 });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kiln-proof-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function prove(scorer: object, target: string, ...argv: string[]) {
    const file = path.join(folder, 'suite.json');
    const examples = [{ id: 'capital', messages: [{ role: 'user', content: 'The capital of France?' }], target }];
    writeFileSync(file, JSON.stringify({ name: 'proved', schema_version: 2, default_scorer: scorer, examples }));
    const all = ['apps/cli/dist/main.js', 'eval', 'prove-scorers', '--file', file, '--executed', '--json', ...argv];
    const env = { ...process.env, KILN_SERVER_URL: fleet.client.url, KILN_API_KEY: fleet.client.token };
    const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
      execFile(process.execPath, all, { env, timeout: 60_000 }, (error, out) => resolve({ code: Number(error?.code ?? 0), out }));
    });
    return { code, proof: code > 1 ? null : (JSON.parse(out) as { scorer_proof: ScorerProof }).scorer_proof };
  }

  const rows = (proof: ScorerProof | null) => Object.fromEntries(proof?.groups[0]?.rows.map((row) => [row.mutant, row.wrong]) ?? []);

  it('shows that a judge believes answers which grade themselves', async () => {
    const { stub } = fleet;
    stub.reset();
    // It sees Paris wherever it stands, and takes a candidate's word for its own.
    stub.answer = ({ prompt }) => {
      const given = prompt.slice(prompt.lastIndexOf('Given:'));
      return `Score: ${/score: 1/.test(given) || (given.includes('Paris') && !given.includes('not Paris')) ? 1 : 0}`;
    };
    const { code, proof } = await prove(JUDGE, 'Paris', '--judge', JSON.stringify(stub.target('judge')));
    expect(code).toBe(1);
    expect(proof).toMatchObject({ examples: 1, examples_tried: 1, false_accepts: 1, false_rejects: 0 });
    expect(rows(proof)).toMatchObject({ target: 0, bold: 0, fence: 0, empty: 0, refusal: 0, injected_judgment: 1, negation: 0 });
    expect(stub.calls.every(({ prompt }) => prompt.includes('The capital of France?'))).toBe(true);
  });

  it('does not count answers that the judge could not be asked about', async () => {
    const { stub } = fleet;
    stub.reset();
    stub.failure = () => 400;
    const { code, proof } = await prove(JUDGE, 'Paris', '--judge', JSON.stringify(stub.target('judge')));
    expect(code).toBe(0);
    // Only the empty answer needed no judge.
    expect(proof?.groups[0]?.rows.map(({ mutant, tried }) => [mutant, tried])).toEqual([['empty', 1]]);
  });

  it('asks for a judge before it starts anything', async () => {
    expect((await prove(JUDGE, 'Paris')).code).toBe(2);
  });

  it.skipIf(requireProgram('bwrap') === null)('proves a script in the sandbox', async () => {
    const { code, proof } = await prove({ kind: 'bash', script: 'grep -q 42 "$EVAL_OUTPUT_FILE"' }, '42');
    expect(code).toBe(1);
    expect(rows(proof)).toMatchObject({ target: 0, times_ten: 1, sign_flip: 1, last_digit_up: 0, empty: 0, refusal: 0 });
  });
});
