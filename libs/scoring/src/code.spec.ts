import { readFileSync } from 'node:fs';
import { parseWith, Scorer } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeTokens, jaccard } from './code/compare-code.js';
import { compileScorerCheck } from './compile-scorer-check.js';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';

const ANY = { kind: 'code', style: { kind: 'any_block' } };
const EXACT = { kind: 'code', style: { kind: 'exact_block' } };
const UNCOMMENTED = { kind: 'code', style: { kind: 'exact_block', strip_comments: true } };
const TOKENS = { kind: 'code', style: { kind: 'token_similarity' } };
const LINES = { kind: 'code', style: { kind: 'line_coverage' } };

const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``;

describe('any_block', () => {
  it.each([
    ['a fence', fenced('x'), null, 'pass'],
    ['an empty fence', fenced('  '), null, 'invalid'],
    ['the language by another name', fenced('x', 'Py'), 'python', 'pass'],
    ['the language with attributes', fenced('x', '{.python .numberLines}'), 'py', 'pass'],
    ['another language', fenced('x', 'js'), 'python', 'invalid'],
    ['no label where a language is demanded', fenced('x'), 'python', 'invalid'],
    ['the second block has the language', `${fenced('x', 'sh')}\n${fenced('y', 'python')}`, 'py', 'pass'],
    ['bare code', 'def f(x):\n    return x + 1', null, 'pass'],
    ['bare code where a language is demanded', 'def f(x):\n    return x + 1', 'python', 'invalid'],
    ['bare code of the C family', 'let x = 5;\nconsole.log(x);', null, 'pass'],
    ['prose', 'I would write a function for that, if I could.', null, 'invalid'],
    ['prose that begins like code', 'For example, import the file from disk.\nReturn to it later.', null, 'invalid'],
    ['prose with one call', 'Call f(x) here.\nThen stop.\nThat is all there is to it.', null, 'invalid'],
    ['nothing', '', null, 'invalid'],
    ['inline code', 'Use `print(1)` for it.', null, 'invalid'],
  ])('%s', (_, text, language, kind) => {
    expect(kindOf({ ...ANY, language }, text)).toBe(kind);
  });
});

describe('exact_block', () => {
  it.each([
    ['the same', fenced('a = 1', 'py'), 'a = 1', 'pass'],
    ['white space at ends of lines and blank lines around', '```py\n\na = 1  \r\nb = 2\n\n```', 'a = 1\nb = 2', 'pass'],
    ['indentation counts', fenced('if a:\n  b', 'py'), 'if a:\n    b', 'fail'],
    ['a blank line inside counts', fenced('a\n\nb'), 'a\nb', 'fail'],
    ['a fenced target', fenced('a = 1', 'python'), fenced('a = 1', 'py'), 'pass'],
    ['one of several blocks', `${fenced('pip install x', 'sh')}\n${fenced('a = 1', 'py')}`, 'a = 1', 'pass'],
    ['a comment counts', fenced('a = 1  # one', 'py'), 'a = 1', 'fail'],
  ])('%s', (_, text, target, kind) => {
    expect(kindOf(EXACT, text, target)).toBe(kind);
  });

  it.each([
    ['python', "a = \"#1\"  # one\n# two\nb = '''\n# text'''", "a = \"#1\"\nb = '''\n# text'''"],
    ['python', 'a = 7 // 2', 'a = 7 // 2'],
    ['js', 'a = "//x"; // one\n/* two\nlines */\nb = `//${c}\n//`; /* open', 'a = "//x";\nb = `//${c}\n//`;'],
    ['rust', "fn f<'a>(x: &'a str) {} // one", "fn f<'a>(x: &'a str) {} // one"],
    ['sql', "select '--' -- one\nfrom t /* two */", "select '--'\nfrom t"],
    ['brainfuck', '# one\n// two\n  -- three\n#include <x>\na # stays', '#include <x>\na # stays'],
  ])('strip_comments in %s', (language, text, target) => {
    const strip = (code: string): string => fenced(code, language);
    expect(scoreAnswer(UNCOMMENTED, strip(text), { target: strip(target) }).kind).toBe('pass');
  });

  it('a bare target is read in the language of the answer', () => {
    expect(kindOf(UNCOMMENTED, fenced('a = 1  # one', 'py'), 'a = 1')).toBe('pass');
  });
});

describe('token_similarity', () => {
  it.each([
    // Words of one letter and punctuation do not count: {def, add, return} of {def, add, sub, return}.
    ['def add(a, b):\n    return a + b', 'def sub(a, b):\n    return a - b', 2 / 4],
    ['for i in range(10):\n    print(i)', 'for i in range(10):\n    print(i)\nprint("done")', 5 / 6],
    ['x.append(1.5)', 'y.append(1.5)', 1 / 3],
    ['größe = höhe', 'größe = breite', 1 / 3],
    ['aa bb', 'bb aa aa', 1],
  ])('%j and %j', (target, answer, expected) => {
    const score = scoreAnswer(TOKENS, fenced(answer), { target });
    expect(score.score).toBeCloseTo(expected, 12);
    expect(score.kind).toBe(expected >= 0.6 ? 'pass' : 'fail');
  });

  it('beyond the first 64 blocks nothing is compared', () => {
    const others = (count: number): string => `${fenced('other words')}\n`.repeat(count);
    expect(kindOf(TOKENS, others(63) + fenced('aa bb'), 'aa bb')).toBe('pass');
    expect(kindOf(TOKENS, others(64) + fenced('aa bb'), 'aa bb')).toBe('fail');
  });

  it('0.6 itself passes', () => {
    expect(scoreAnswer(TOKENS, fenced('aa bb cc dd'), { target: 'aa bb cc ee' })).toMatchObject({ kind: 'pass', score: 0.6 });
    expect(
      scoreAnswer({ kind: 'code', style: { kind: 'token_similarity', min_jaccard: 0.61 } }, fenced('aa bb cc dd'), {
        target: 'aa bb cc ee',
      }).kind,
    ).toBe('fail');
  });

  it('the most similar block and the most similar alias count', () => {
    const text = `${fenced('unrelated words')}\n${fenced('aa bb cc')}`;
    expect(scoreAnswer(TOKENS, text, { target: 'xx yy', aliases: ['aa bb cc dd'] })).toMatchObject({ kind: 'pass', score: 0.75 });
  });
});

describe('line_coverage', () => {
  it.each([
    ['lines in any order', 'alpha\nbeta\ngamma', 'gamma\nbeta\nalpha', 1],
    ['more lines than wanted', 'first line\nsecond line', 'first line\nother line\n  second line', 1],
    ['short lines and comments do not count', 'a\n}\n# note\n// note\nresult = 1', 'result = 1', 1],
    ['one of three', 'first = 1\nsecond = 2\nthird = 3', 'second = 2', 1 / 3],
  ])('%s', (_, target, answer, expected) => {
    const score = scoreAnswer(LINES, fenced(answer), { target });
    expect(score.score).toBeCloseTo(expected, 12);
    expect(score.kind).toBe(expected >= 0.7 ? 'pass' : 'fail');
  });
});

describe('code-similarity.json', () => {
  const { pairs } = JSON.parse(readFileSync(new URL('vectors/code-similarity.json', import.meta.url), 'utf8')) as {
    pairs: { target: string; output: string; jaccard_tokens_regex?: number; line_coverage_stripped?: number; note: string }[];
  };
  const code = pairs.filter((pair) => pair.line_coverage_stripped !== undefined);

  it('Jaccard, with the tokeniser that the vectors name', () => {
    const tokens = (text: string): Set<string> => new Set(text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\s\w]/g));
    expect(code.length).toBeGreaterThan(15);
    for (const { target, output, jaccard_tokens_regex: expected } of code)
      expect(jaccard(tokens(output), tokens(target))).toBeCloseTo(expected ?? NaN, 12);
  });

  it('line coverage, where every line is long enough to count', () => {
    const covered = code.filter(
      ({ target, output }) => output !== '' && target.split('\n').every((line) => line.trim() === '' || line.trim().length >= 4),
    );
    expect(covered.length).toBeGreaterThan(12);
    for (const { target, output, line_coverage_stripped: expected } of covered) {
      expect(scoreAnswer(LINES, fenced(output), { target }).score, target).toBeCloseTo(expected ?? NaN, 12);
    }
  });

  it('our own tokens are fewer: one letter and punctuation do not count', () => {
    expect([...codeTokens('def add(a, b):\n    return a + b1 # 3.5')]).toEqual(['def', 'add', 'return', 'b1', '3.5']);
  });
});

describe('laws', () => {
  const line = fc.stringMatching(/^ {0,4}[a-z_]{2,8} = [a-z]{2,8}\([a-z0-9, ]{0,10}\);$/);
  const program = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));
  const scorer = fc.constantFrom(ANY, EXACT, UNCOMMENTED, TOKENS, LINES);

  it('a target passes against itself, bare and fenced', () => {
    fc.assert(
      fc.property(scorer, program, (kind, target) => {
        for (const text of [target, fenced(target, 'js'), `Here:\n\n${fenced(target, 'js')}\n\nDone.`]) {
          expect(scoreAnswer(kind, text, { target })).toMatchObject({ kind: 'pass', score: 1 });
        }
        expect(scoreAnswer({ ...kind, language: 'js' }, fenced(target, 'mjs'), { target: fenced(target, 'js') }).kind).toBe('pass');
      }),
    );
  });

  it('even a bare target that does not look like code', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (target) => {
        fc.pre(codeTokens(target).size > 0 && !/[`~]/.test(target));
        return kindOf(TOKENS, target, target) === 'pass';
      }),
    );
  });

  it('nothing ever throws, and scores stay within bounds', () => {
    fc.assert(
      fc.property(scorer, fc.string({ unit: 'binary' }), fc.string(), (kind, text, target) => {
        const { score } = scoreAnswer(kind, text, { target });
        return score >= 0 && score <= 1;
      }),
    );
  });

  it('hostile answers take time in proportion to their length', () => {
    const started = performance.now();
    for (const text of [
      'fn '.repeat(200_000),
      '"'.repeat(500_000),
      `${'/*'.repeat(250_000)}`,
      'a=\n'.repeat(200_000),
      `return ${' '.repeat(500_000)}`,
    ]) {
      for (const answer of [text, fenced(text, 'js'), fenced(text)])
        scoreAnswer(UNCOMMENTED, answer, { target: fenced('x = 1;\n'.repeat(500), 'js') });
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('registration', () => {
  const check = (scorer: object, target: string | null) => () =>
    compileScorerCheck(parseWith(Scorer, scorer, 'scorer'), 'default_scorer')({ target, aliases: [], reference: null }, 'examples[0]');

  it.each([
    ['no target', EXACT, null],
    ['an empty target', EXACT, ' \n'],
    ['an empty fence', EXACT, fenced('')],
    ['a target of another language', { ...TOKENS, language: 'python' }, fenced('let x;', 'js')],
    ['no token', TOKENS, 'a+b'],
    ['no line of four characters', LINES, 'a\nb'],
    ['nothing but comments', UNCOMMENTED, fenced('# note', 'py')],
  ])('refuses %s', (_, scorer, target) => {
    expect(check(scorer, target)).toThrow('examples[0].target: must hold code that the scorer code can compare');
  });

  it('accepts what can be compared, and any_block without a target', () => {
    expect(check(ANY, null)).not.toThrow();
    expect(check({ ...TOKENS, language: 'python' }, fenced('value = 1', 'py'))).not.toThrow();
    expect(check({ ...TOKENS, language: 'python' }, 'value = 1')).not.toThrow();
  });
});
