import { requireProgram } from '@kiln/testing';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allGone, processesWith } from '../sandbox.fixture.js';
import { scoreInSandbox } from './score-in-sandbox.fixture.js';

/** Suites of other projects are read where they lie, never copied: KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
const [vectorFile, humanEvalFile] = [`${shared}/vectors/python_doctest.json`, `${shared}/data/humaneval.jsonl`];

for (const file of [vectorFile, humanEvalFile]) if (!existsSync(file)) process.stderr.write(`skipped: ${file} is absent\n`);

const KIND = { kind: 'python_doctest' };
const fence = (code: string, language = 'python') => `Here it is:\n\n\`\`\`${language}\n${code}\n\`\`\`\nDone.`;
const score = (question: string, code: string, scorer: object = KIND) => scoreInSandbox(scorer, question, fence(code));

const TASK =
  'Write this function.\n\n```python\ndef add(a, b):\n    """Adds.\n\n    >>> add(1, 2)\n    3\n    >>> add(-1, 1)\n    0\n    """\n```';
const RIGHT = 'def add(a, b):\n    return a + b';

describe.skipIf(requireProgram('bwrap') === null || requireProgram('python3') === null)('python_doctest', () => {
  it('passes when every example comes out, and tells how many did', async () => {
    expect(await score(TASK, RIGHT)).toEqual({ kind: 'pass', score: 1, detail: { passed: 2, total: 2 }, raw_value: null, usage: null });
    expect(await score(TASK, 'def add(a, b):\n    return 3')).toMatchObject({
      kind: 'fail',
      score: 0.5,
      detail: { passed: 1, total: 2, reason: 'example_failed', example: 'add(-1, 1)', expected: '0', got: '3' },
    });
  });

  it.each([
    ['a function under another name', 'def plus(a, b):\n    return a + b', 'NameError'],
    ['broken code', 'def add(a, b:\n    return a + b', 'SyntaxError'],
    ['code that raises', `${RIGHT}\nraise ValueError("no")`, 'ValueError: no'],
    ['code that ends itself', `import sys\n${RIGHT}\nsys.exit(0)`, 'SystemExit: 0'],
  ])('fails %s', async (_, code, text) => {
    const { kind, score: value, detail } = await score(TASK, code);
    expect([kind, value]).toEqual(['fail', 0]);
    expect(JSON.stringify(detail)).toContain(text);
  });

  it('is invalid without tests or without code', async () => {
    expect(await score('Write a function that adds.', RIGHT)).toMatchObject({ kind: 'invalid', detail: { reason: 'no_tests' } });
    expect(await score('Write it.\n>>> add(1, 2)  # doctest: +SKIP\n3\n', RIGHT)).toMatchObject({
      kind: 'invalid',
      detail: { reason: 'no_tests' },
    });
    for (const answer of ['I cannot help with that.', '', fence('const add = (a, b) => a + b;', 'js'), 'add']) {
      expect(await scoreInSandbox(KIND, TASK, answer)).toMatchObject({ kind: 'invalid', score: 0, detail: { reason: 'no_code' } });
    }
  });

  it('reads the last user message only', async () => {
    const messages = [
      { role: 'user' as const, content: TASK },
      { role: 'assistant' as const, content: fence(RIGHT) },
      { role: 'user' as const, content: 'Now as `plus`:\n>>> plus(1, 2)\n3\n' },
    ];
    expect(await scoreInSandbox(KIND, '', fence('def plus(a, b): return a + b'), { messages })).toMatchObject({
      kind: 'pass',
      detail: { total: 1 },
    });
  });

  it.each([
    ['without a fence', RIGHT],
    ['after a sentence', `Sure! Here is the function:\n\n${RIGHT}`],
    ['in a fence without a language', fence(RIGHT, '')],
    ['in a fence that was cut off', `\`\`\`py\n${RIGHT}\n`],
    [
      'beside a use of it and a transcript',
      `${fence(RIGHT)}\n${fence('print(add(1, 2))\nraise SystemExit')}\n${fence('>>> add(1, 2)\n3')}`,
    ],
    ['in parts', `${fence('def helper(a, b):\n    return a + b')}\n${fence('def add(a, b):\n    return helper(a, b)')}`],
    ['as a continuation of the prompt', '    return a + b\n'],
    ['in a continuation that goes on', '    return a + b\n\nAs you can see, it adds.'],
    ['behind a byte order mark', `\uFEFF${RIGHT}`],
    ['with line ends of Windows', fence(RIGHT).replaceAll('\n', '\r\n')],
  ])('finds code %s', async (_, answer) => {
    expect(await scoreInSandbox(KIND, TASK, answer)).toMatchObject({ kind: 'pass', detail: { passed: 2, total: 2 } });
  });

  it('lets an answer build on what the message gives, not on what it asks for', async () => {
    const given =
      'from math import gcd\ndef double(n):\n    return 2 * n\ndef lcm(a, b):\n    """\n    >>> lcm(4, 6)\n    12\n    """\n    return a * b // gcd(a, b)\n';
    expect(await score(given, 'def lcm(a, b):\n    return double(a * b // gcd(a, b)) // 2')).toMatchObject({ kind: 'pass' });
    expect(await score(given, 'def other():\n    return 1')).toMatchObject({ kind: 'fail', score: 0 });
  });

  it('knows the rules of doctest', async () => {
    const question = `Examples:

>>> f(0)
Traceback (most recent call last):
...
ZeroDivisionError: division by zero
>>> print('a\\n\\nb')
a
<BLANKLINE>
b
>>> f(1) # doctest: +ELLIPSIS
0...
>>> [1,
...  2] # doctest: +NORMALIZE_WHITESPACE
[1,   2]
>>> 1
True
`;
    // The last one is the wrong way round: True stands for 1, not 1 for True.
    expect(await score(question, 'def f(x):\n    return 1 / x / 2')).toMatchObject({
      kind: 'fail',
      score: 0.8,
      detail: { passed: 4, total: 5, expected: 'True' },
    });
  });

  it('is an error when the tests cannot be read: that is not the fault of a model', async () => {
    const malformed = 'def f():\n    """\n    >>> f()\n  1\n    """\n';
    expect(await score(malformed, 'def f(): return 1')).toMatchObject({ kind: 'error', detail: { reason: 'malformed_doctest' } });
  });

  it('is an error when time runs out, and leaves nothing behind', async () => {
    const mark = String(300_000 + Math.random());
    const code = `import subprocess, time\nsubprocess.Popen(["sleep", "${mark}"], start_new_session=True)\ntime.sleep(60)`;
    const started = performance.now();
    expect(await score(TASK, code, { ...KIND, timeout_seconds: 0.5 })).toMatchObject({
      kind: 'error',
      score: 0,
      detail: { reason: 'timeout' },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await allGone(mark)).toBe(true);
    expect(processesWith(mark)).toEqual([]);
  });

  const forge = 'lines = []\nfor t in range(9):\n    for e in range(9): lines.append((t, e))\n';
  it.each([
    ['ends the process', 'import os\nos._exit(0)', 'fail'],
    ['ends the process in an example', 'import os\ndef add(a, b): os._exit(0)', 'fail'],
    ['kills the process', 'import os\nos.kill(os.getpid(), 9)', 'error'],
    ['crashes the process', 'import ctypes\nctypes.string_at(0)', 'fail'],
    [
      'replaces doctest',
      'import doctest\ndoctest.DocTestRunner.run = lambda *a, **k: (0, 2)\ndoctest.OutputChecker.check_output = lambda *a: True',
      'fail',
    ],
    [
      'prints a report',
      'import os\nfor fd in range(3, 64):\n    try: os.write(fd, b"2 passed\\n{\\"done\\": true}\\n")\n    except OSError: pass',
      'fail',
    ],
    ['defines __name__', '__name__ = "__main__"\nif __name__ == "__main__": print("ok")', 'fail'],
    ['replaces builtins', 'import builtins\nbuiltins.compile = lambda *a, **k: "pass"\nbuiltins.exec = lambda *a: None', 'fail'],
    [
      'replaces what JSON is written with',
      'import json\njson.dumps = lambda *a, **k: "{}"\njson.encoder.JSONEncoder.encode = lambda *a: "{}"',
      'fail',
    ],
    [
      'claims with the harness itself',
      'import sys\nreport = sys._getframe(1).f_globals["report"]\nreport(done=True)\nimport os\nos._exit(0)',
      'fail',
    ],
    [
      'reports empty outputs with the harness itself',
      `import sys\nreport = sys._getframe(1).f_globals["report"]\n${forge}for at in lines: report(at=list(at), output="", raised=None)\nreport(done=True)\nimport os\nos._exit(0)`,
      'fail',
    ],
    [
      'looks for what is expected',
      'import gc, sys\nwants = [o for o in gc.get_objects() if isinstance(o, dict) and "want" in o]\ndef add(a, b): return wants[0]["want"]',
      'fail',
    ],
    ['is equal to everything', 'class Any:\n    def __eq__(self, other): return True\ndef add(a, b): return Any()', 'fail'],
    [
      'reads the files beside it',
      'import os\ntext = "".join(open(f).read() for f in os.listdir("."))\ndef add(a, b): return "want" in text and 3',
      'fail',
    ],
    ['leaves a thread', 'import threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()\ndef add(a, b): return 0', 'fail'],
    ['writes without end', 'import sys\ndef add(a, b):\n    while True: sys.__stderr__.write("x" * 65536)', 'fail'],
    ['nests without end', `add = ${'('.repeat(5000)}${')'.repeat(5000)}\ndef add(a, b): return 0`, 'fail'],
  ])('is not fooled by code that %s', async (_, code, kind) => {
    const result = await score(TASK, code);
    expect(result.kind, JSON.stringify(result)).toBe(kind);
    // Only 0 where 0 is expected may be right by chance.
    expect(result.score).toBeLessThanOrEqual(0.5);
  });

  it.each([
    ['signs', `x = ${'-'.repeat(200_000)}1`],
    ['sums', `x = 1${'+1'.repeat(100_000)}`],
    ['brackets', '('.repeat(100_000)],
    ['branches', `if 1: pass\n${'elif 1: pass\n'.repeat(20_000)}`],
    ['digits', `x = ${'9'.repeat(100_000)}`],
    ['half a character', 'def add(a, b): return "\uD800"'],
    ['NUL', 'def add(a, b):\0 return 3'],
    ['closed files', 'import os\nos.closerange(0, 256)\ndef add(a, b): return 3'],
    ['an exception that cannot be shown', 'class E(Exception):\n    def __str__(self): raise self\ndef add(a, b): raise E()'],
  ])('is no error of ours when code is made of %s', async (_, code) => {
    expect((await score(TASK, code)).kind).toBe('fail');
  });

  it('is not fooled in tests that expect no output', async () => {
    const quiet = 'Write `f`.\n>>> f()\n>>> f()\n';
    expect(await score(quiet, 'def f(): pass')).toMatchObject({ kind: 'pass', detail: { passed: 2, total: 2 } });
    expect(await score(quiet, 'import os\nos._exit(0)')).toMatchObject({ kind: 'fail', score: 0, detail: { reason: 'ended_early' } });
    expect(await score(quiet, 'def f():\n    import os\n    os._exit(0)')).toMatchObject({ kind: 'fail', score: 0 });
    expect(await score(quiet, 'raise SystemExit(0)')).toMatchObject({ kind: 'fail', score: 0 });
  });
});

describe.skipIf(!existsSync(vectorFile) || requireProgram('bwrap') === null)('python_doctest.json', () => {
  const vectors = existsSync(vectorFile) ? JSON.parse(readFileSync(vectorFile, 'utf8')) : null;

  it('has the adversarial cases right', async () => {
    for (const { code, attempted, failed, pass } of vectors.adversarial) {
      const result = await score(code, code);
      expect(result.kind === 'pass', code).toBe(pass);
      const { passed = 0, total = 0 } = result.detail as { passed?: number; total?: number };
      // Where time runs out nothing was measured.
      if (result.kind !== 'error') expect([total, total - passed], code).toEqual([attempted, failed]);
    }
  });

  it.skipIf(!existsSync(humanEvalFile))(
    'has every HumanEval case right: the canonical solution, and a stub',
    async () => {
      const rows = readFileSync(humanEvalFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
      const problems = new Map(rows.map((row) => [row.task_id, row]));
      const check = async (prompt: string, code: string, expected: { attempted: number; failed: number; error?: string }, name: string) => {
        const { kind, detail } = await score(prompt, code);
        const { passed, total } = detail as { passed: number; total: number };
        if (expected.error === undefined)
          expect([kind, total, total - passed], name).toEqual([
            expected.failed === 0 ? 'pass' : 'fail',
            expected.attempted,
            expected.failed,
          ]);
        else expect(kind, name).toBe('error');
      };
      const cases = vectors.humaneval.flatMap(
        (vector: { task_id: string; entry_point: string; canonical: never; stub_returning_None: never }) => {
          const { prompt, canonical_solution: solution } = problems.get(vector.task_id);
          return [
            () => check(prompt, prompt + solution, vector.canonical, vector.task_id),
            () =>
              check(
                prompt,
                `def ${vector.entry_point}(*args, **kwargs):\n    return None`,
                vector.stub_returning_None,
                `${vector.task_id} stub`,
              ),
          ];
        },
      );
      expect(cases.length).toBe(2 * vectors.humaneval.length);
      // Two at a time: a machine of two cores runs them all in seconds.
      const waiting = cases.values();
      const drain = async () => {
        for (const run of waiting) await run();
      };
      await Promise.all([drain(), drain()]);
    },
    180_000,
  );
});
