import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureCli } from '../capture-cli.fixture.js';

const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kiln-models-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const check = (...argv: string[]) => captureCli('models', 'check', ...argv);

describe('kiln models check', () => {
  it('with --json prints what it found, in the words of the documents, and nothing else', async () => {
    const { code, out, err } = await check(path.join(MODELS, 'tiny-arith-plain'), '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      machine: { threads: 1, bytes_per_s: expect.any(Number) },
      models: [{ model: 'tiny-arith-plain', context_tokens: 512, probe: { min_rows: 1, measured: { padding: true } }, flaws: [] }],
    });
  });

  it('ends with 1 when something is refused, and says why', async () => {
    await writeFile(path.join(folder, 'config.json'), '{}');
    const { code, out } = await check(folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^refused\n {2}\S+ {2}no ONNX graph/);
    await rm(path.join(folder, 'config.json'));
  });

  it('ends with 1 where there is no model', async () => {
    expect(await check(folder)).toMatchObject({ code: 1, out: 'no model here\n' });
  });

  it('ends with 2 for a wrong option', async () => {
    expect((await check(folder, '--threads', '0')).code).toBe(2);
  });
});
