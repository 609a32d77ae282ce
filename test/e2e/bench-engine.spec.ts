import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/dist/engine/main.js', import.meta.url));

it('bench:engine measures every part that needs no Python, here with sizes that say nothing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--quick', '--no-python', '--json']);
  const all = (contender: string, rows: number | null, answers: number) =>
    expect.objectContaining({
      contender,
      rows,
      answers,
      equalAnswers: answers,
      runs: [{ cpuS: expect.any(Number), wallS: expect.any(Number) }],
    });
  const endToEnd = [all('Kiln', null, 6), all('transformers.js', 1, 6), all('transformers.js', 8, 6)];
  const decode = [all('Kiln', 1, 1), all('Kiln', 8, 8), all('Kiln', 32, 32), all('transformers.js', 1, 1), all('transformers.js', 8, 8)];
  const limits = { bytesPerS: expect.any(Number), flopsPerS: expect.any(Number) };
  const ratio = { cpu: expect.any(Number), wall: expect.any(Number) };
  expect(JSON.parse(stdout)).toMatchObject({
    notices: [expect.stringContaining('onnxruntime-genai is not measured'), expect.stringContaining('PyTorch is not measured')],
    limits: { ordinary: limits, huge: limits },
    models: [
      { model: 'generated', endToEnd, decode },
      { model: 'tiny-arith', endToEnd, decode: [] },
    ],
    platform: { examples: 3, completions: 2, job: [expect.anything()], engine: [expect.anything()] },
    summary: {
      overTransformersJs: { generated: ratio, 'tiny-arith': ratio },
      decode: [{ rows: 1, bound: 'bandwidth' }, { rows: 8 }, { rows: 32 }],
      platformOverhead: ratio,
    },
  });
});
