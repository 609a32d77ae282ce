import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCommands } from './compare-commands.js';
import { readInvocations } from './shell-invocation.js';
import { splitShell } from './split-shell.js';

describe('splitShell', () => {
  it.each<[string, string[][]]>([
    ['git commit -m "a b" --amend', [['git', 'commit', '-m', 'a b', '--amend']]],
    ["echo 'it''s' \"a\\\"b\" c\\ d", [['echo', 'its', 'a"b', 'c d']]],
    ['a && b || c; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a > out.txt 2>&1 < in', [['a', '>', 'out.txt', '2>&1', '<', 'in']]],
    ['a # comment; b\nc', [['a'], ['c']]],
    ['a \\\n  b', [['a', 'b']]],
    ['echo "$(ls | wc)" $(a; b) `c; d`', [['echo', '$(ls | wc)', '$(a; b)', '`c; d`']]],
    ['echo "open', [['echo', 'open']]],
    ['', []],
  ])('%j', (script, words) => {
    expect(splitShell(script).map((command) => command.words)).toEqual(words);
  });

  it('reads here-documents', () => {
    expect(splitShell("cat <<'EOF' > f.txt\na; b\n$(c)\nEOF\nls")).toEqual([
      { words: ['cat', '>', 'f.txt'], heredocs: ['a; b\n$(c)'] },
      { words: ['ls'], heredocs: [] },
    ]);
    expect(splitShell('cat <<-A | wc -l\n\tx\n\tA\n')).toEqual([
      { words: ['cat'], heredocs: ['x'] },
      { words: ['wc', '-l'], heredocs: [] },
    ]);
    expect(splitShell('python3 - <<EOF\nprint(1)')).toEqual([{ words: ['python3', '-'], heredocs: ['print(1)'] }]);
  });

  it('ends for any text, in time', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', ' ', '"', "'", '\\', '$', '(', ')', '`', '<', '<', '>', '|', '&', ';', '\n', '#', '-', '1'),
        }),
        (script) => {
          splitShell(script);
          expect(compareCommands(script, script)).toBe(1);
        },
      ),
      { numRuns: 1000 },
    );
    const started = performance.now();
    for (const bit of [
      '"',
      "'",
      '$(',
      '`',
      '<<A\n',
      '<<A;',
      '1>',
      'for a in b',
      '\n',
      '\\',
      'a;',
      'subprocess.run(',
      'exec( open',
      '[',
      'x = ',
    ]) {
      compareCommands(bit.repeat(50_000), `a ${bit.repeat(50_000)}`);
    }
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe('readInvocations', () => {
  it.each([
    ['FOO=1 BAR=2 git push', 'git', 'push'],
    ['uv run pytest -q', 'pytest', ''],
    ['A=1 uv run B=2 pytest', 'pytest', ''],
    ["bash -lc 'git pull'", 'git', 'pull'],
    [`bash -c "sh -c 'zsh -lc \\"git pull\\"'"`, 'git', 'pull'],
    ['bash <<EOF\ngit pull\nEOF', 'git', 'pull'],
    ['/usr/bin/git -C repo -c a=b --no-pager status', 'git', 'status'],
    ['kubectl -n prod get pods', 'kubectl', 'get'],
    ['python3.11 a.py', 'python', ''],
    ['bash run.sh', 'bash', ''],
  ])('%s', (script, program, action) => {
    expect(readInvocations(script)).toMatchObject([{ program, action }]);
  });

  it('unwraps four times and no more', () => {
    const wrapped = (times: number): string =>
      times === 0
        ? 'git'
        : `bash -c "${wrapped(times - 1)
            .replaceAll('\\', '\\\\')
            .replaceAll('"', '\\"')}"`;
    expect(readInvocations(wrapped(4))).toMatchObject([{ program: 'git' }]);
    expect(readInvocations(wrapped(5))).toMatchObject([{ program: 'bash' }]);
  });

  it('finds inline code', () => {
    expect(readInvocations("python -c 'print(1)'")[0]?.inlineCode).toEqual({ language: 'python', code: 'print(1)' });
    expect(readInvocations("python3 - <<'EOF'\nprint(1)\nEOF")[0]?.inlineCode).toEqual({ language: 'python', code: 'print(1)' });
    expect(readInvocations("node -e '1'")[0]?.inlineCode).toEqual({ language: 'node', code: '1' });
    expect(readInvocations('python a.py <<EOF\nx\nEOF')[0]?.inlineCode).toBeNull();
  });
});

describe('compareCommands', () => {
  it.each<[string, string, number]>([
    ['git push', 'git push', 1],
    ['  git   push ', 'git push', 1],
    ["bash -lc 'git push'", 'git push', 1],
    ['CI=1 uv run git push', 'git push', 1],
    ['git pull', 'git push', 0.35],
    ['git push origin main', 'git push origin dev', 0.6],
    ['hg push', 'git push', 0.1],
    ['git push origin a b c d e f g', 'git push', 0.35],
    ['ls -a /etc', 'ls -l /tmp', 0.35],
    ['', 'ls', 0],
    ['cd repo && npm test', 'npm test', 0.5],
    ['npm test', 'cd repo && npm test', 0.5],
    ['npm test; cd repo', 'cd repo && npm test', 1],
    ["node -e 'console.log(aa)'", "node -e 'console.log(bb)'", 1 / 3],
    // the same file in another folder: 0.75 × 0.8, and four tokens of six
    [
      'python -c \'import subprocess; subprocess.run("/opt/run.sh")\'',
      'python -c \'import subprocess; subprocess.run("/bin/run.sh")\'',
      0.75 * 0.8 + 0.25 * (4 / 6),
    ],
    ['python -c \'import os; os.system("git pull")\'', 'python -c \'import os; os.system("git push")\'', 0.75 * 0.35 + 0.25 * (4 / 6)],
    [
      'python -c \'import os; os.system("git push")\'',
      'python -c \'import subprocess as s, os; os.system("git push")\'',
      0.75 + 0.25 * (5 / 7),
    ],
    ["python -c 'print(aa)'", "python -c 'print(bb)'", 1 / 3],
    ['python - <<EOF\nprint(aa)\nEOF', "python -c 'print(aa)'", 1],
    ['import os\nos.system("ls")', 'import os\nos.system("ls")\n', 1],
    ['cat > a.py <<EOF\nfoo bar\nEOF', 'cat > a.py <<EOF\nfoo baz\nEOF', 4 / 6],
  ])('%j for %j is %d', (predicted, target, score) => {
    expect(compareCommands(predicted, target)).toBeCloseTo(score, 12);
  });

  it('stays within [0, 1]', () => {
    const word = fc.constantFrom(
      'git',
      'push',
      'pull',
      '&&',
      ';',
      '|',
      'ls',
      '-l',
      "'a b'",
      'bash -c',
      'python -c',
      '"import os; os.system(\'ls\')"',
    );
    const script = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(script, script, (a, b) => {
        const score = compareCommands(a, b);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });
});
