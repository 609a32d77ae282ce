import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../create-sandbox.js';
import { OPTIONS } from '../sandbox.fixture.js';
import { answerTo, compileInSandbox, scoreInSandbox } from './score-in-sandbox.fixture.js';

const score = (script: string, text = 'Paris', input: Parameters<typeof scoreInSandbox>[3] = {}, rest: object = {}) =>
  scoreInSandbox({ kind: 'bash', script, ...rest }, 'Where?', text, input);

describe.skipIf(requireProgram('bwrap') === null)('bash', () => {
  it.each([
    ['exit 0', 'pass', 1],
    ['true', 'pass', 1],
    ['exit 1', 'fail', 0],
    ['false', 'fail', 0],
    ['exit 2', 'error', 0],
    ['kiln-no-such-command', 'error', 0],
    ['if then', 'error', 0],
    ['kill -TERM $$', 'error', 0],
    ['kill -KILL $$', 'error', 0],
    ['set -euo pipefail; grep -q London "$EVAL_OUTPUT_FILE"', 'fail', 0],
    ['cd / && grep -q Paris "$EVAL_OUTPUT_FILE" && [[ $EVAL_OUTPUT == P* ]]', 'pass', 1],
    ['diff <(echo "$EVAL_OUTPUT") <(echo Paris)', 'pass', 1],
  ])('%s: %s', async (script, kind, value) => {
    expect(await score(script)).toMatchObject({ kind, score: value, raw_value: null, usage: null });
  });

  it('keeps what the script said', async () => {
    expect(await score('echo "2 of 3"; exit 1')).toMatchObject({ detail: { output: '2 of 3' } });
    expect(await score('echo oops >&2; exit 9')).toMatchObject({
      kind: 'error',
      detail: { reason: 'script_failed', exit_code: 9, output: 'oops' },
    });
    expect(await score('yes')).toMatchObject({ kind: 'error', detail: { reason: 'output_limit' } });
  });

  it('is an error when time runs out', async () => {
    expect(await score('sleep 60', '', {}, { timeout_ms: 300 })).toMatchObject({ kind: 'error', detail: { reason: 'timeout' } });
  });

  it('gives the script the answer as it is, however long', async () => {
    for (const text of ['', 'two\nlines\n\n', '$(touch x) `id` "quoted" \\ \u{1F600}', 'é'.repeat(200_000) + '\n\n']) {
      const script = `[ "$(printf %s "$EVAL_OUTPUT" | sha256sum)" = "$(sha256sum < "$EVAL_OUTPUT_FILE")" ] && [ \${#EVAL_OUTPUT} = ${[...text].length} ]`;
      expect((await score(script, text)).kind, text.slice(0, 20)).toBe('pass');
    }
    // A variable of bash holds no NUL; the file does.
    expect(await score('[ "$EVAL_OUTPUT" = ab ] && [ "$(wc -c < "$EVAL_OUTPUT_FILE")" = 3 ]', 'a\0b')).toMatchObject({ kind: 'pass' });
  });

  it('gives it the scalars of the reference, and the names of example and run', async () => {
    const reference = { text: 'a "b" $c', 'city-name': 'Paris', n: 1.5, yes: true, none: null, list: [1], é: 'x', N: 'second' };
    const script = 'env | grep ^EVAL_ | grep -v ^EVAL_OUTPUT | sort; exit 1';
    const { detail } = await score(script, '', { reference, ids: { caseId: 'c-1', runId: 'r-1' } });
    expect(detail).toEqual({
      output: expect.stringMatching(
        /^EVAL_CASE_ID=c-1\nEVAL_EXPECT_CITY_NAME=Paris\nEVAL_EXPECT_N=1.5\nEVAL_EXPECT_TEXT=a "b" \$c\nEVAL_EXPECT_YES=true/,
      ),
    });
    expect(await score('[ -z "${EVAL_CASE_ID+set}" ]')).toMatchObject({ kind: 'pass' });
  });

  it('runs in the sandbox', async () => {
    expect(await score('[ -e /etc/passwd ] || [ -e /root ] || (exec 3<>/dev/tcp/192.0.2.1/80)')).not.toMatchObject({ kind: 'pass' });
  });

  it('says when it ran without one', async () => {
    const run = compileInSandbox({ kind: 'bash', script: 'exit 0' }, createSandbox({ ...OPTIONS, mode: 'process' }).runConfined);
    const input = answerTo('Where?', 'Paris');
    expect(await run(input, new AbortController().signal)).toMatchObject({ kind: 'pass', detail: { warning: 'ran_without_sandbox' } });
    expect(await run({ ...input, unclosedThinking: true }, new AbortController().signal)).toMatchObject({ kind: 'invalid' });
  });

  it('is an error where there is no sandbox', async () => {
    const run = compileInSandbox({ kind: 'bash', script: 'exit 0' }, createSandbox({ ...OPTIONS, memory_bytes: 4096 }).runConfined);
    const input = answerTo('Where?', 'Paris');
    expect(await run(input, new AbortController().signal)).toMatchObject({
      kind: 'error',
      score: 0,
      detail: { reason: 'sandbox_unavailable' },
    });
  });
});
