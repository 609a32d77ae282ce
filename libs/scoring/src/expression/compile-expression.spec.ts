import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, type ExpressionResult } from './compile-expression.js';
import { type Scope } from './compile-node.js';
import { type Value } from './expression-value.js';

const VARIABLES = ['final_message', 'trace', 'reference_data', 'task_input'];

function evaluate(source: string, scope: Scope = {}): ExpressionResult {
  const expression = compileExpression(source, VARIABLES);
  return expression.kind === 'expression' ? expression.evaluate(scope) : expect.fail(`${source}: ${expression.message}`);
}

function refusal(source: string): string {
  const expression = compileExpression(source, VARIABLES);
  return expression.kind === 'bad_expression' ? expression.message : expect.fail(`${source} was accepted`);
}

/** Written by Jinja itself; see `source` in the file. */
const goldens = JSON.parse(readFileSync(new URL('jinja-goldens.json', import.meta.url), 'utf8')) as {
  scope: Scope;
  cases: { expression: string; value: Value }[];
};

describe('compileExpression', () => {
  it.each(goldens.cases)('$expression as Jinja has it: $value', ({ expression, value }) => {
    expect(evaluate(expression, goldens.scope)).toEqual({ kind: 'value', value });
  });

  it.each([
    'trace[9].content',
    'trace[0].missing',
    'trace[0].missing.deeper',
    'reference_data.none',
    'reference_data.missing + 1',
    'reference_data.answer + 1',
    'reference_data.answer - "x"',
    '1 / 0',
    '1 // 0',
    '1 % 0',
    '10 ** 400',
    '(-1) ** 0.5',
    'reference_data.answer < 1',
    '1 in 1',
    'reference_data.tags|sum',
    'reference_data.year|upper',
    'reference_data.year.upper()',
    'reference_data.tags.get("a")',
    'final_message.get("a")',
    'trace|sort',
    'final_message.split("")',
    'final_message.split(" ", "x")',
    'final_message.replace("", "x")',
    'final_message.replace("x", 1)',
    'final_message.startswith(1)',
    'final_message[::0]',
    'final_message["a":]',
    'reference_data[1:]',
    '{1: 2}',
    '-final_message',
    'final_message|abs',
    'reference_data.missing|length',
    'reference_data.missing ~ "a"',
    'trace|map(attribute=1)',
    'trace|select("nonsense")',
    'trace|selectattr("role", "nonsense")',
    '"x" is odd',
    '[]|first',
    '[]|max',
    'final_message if false',
  ])('has no value: %s', (source) => {
    expect(evaluate(source, goldens.scope).kind).toBe('unresolved');
  });

  it.each([
    ['', 'cannot be read'],
    ['final_message if', 'cannot be read'],
    ['final_message +', 'cannot be read'],
    ['(final_message', 'cannot be read'],
    ["'open", 'cannot be read'],
    ['{{ final_message }}', 'write the expression alone, without {{ and }}'],
    ['final_message }} and {{ trace', 'must be one expression and nothing else'],
    ['final_message }}{% set a = 1 %}{{ a', 'must be one expression and nothing else'],
    ['final_message }}{% for a in trace %}{% endfor %}{{ a', 'must be one expression and nothing else'],
    ['final_message, trace', 'cannot be read'],
    ['message', 'unknown name "message"; known: final_message, trace, reference_data, task_input'],
    ['range(9)', 'only methods can be called'],
    ['namespace()', 'only methods can be called'],
    ['strftime_now("%Y")', 'only methods can be called'],
    ['final_message.upper()()', 'only methods can be called'],
    ['final_message["upper"]()', 'only methods can be called'],
    ['final_message.constructor()', 'unknown method "constructor"'],
    ['final_message.__class__()', 'unknown method "__class__"'],
    ['final_message|constructor', 'unknown filter "constructor"; known: abs, capitalize'],
    ['final_message|indent(4)', 'unknown filter "indent"'],
    ['final_message|random', 'unknown filter "random"'],
    ['final_message is callable', 'unknown test "callable"'],
    ['final_message is in', 'unknown test "in"'],
    ['final_message|upper(1)', 'takes no argument'],
    ['final_message|replace("a")', 'needs the argument new'],
    ['final_message|replace("a", "b", number=1)', 'takes the arguments old, new, count'],
    ['final_message|replace("a", "b", old="c")', 'takes the arguments old, new, count'],
    ['final_message|replace(*trace)', 'arguments cannot be unpacked'],
    ['1 < 2 < 3', 'compare two values at a time'],
    ['('.repeat(65) + '1' + ')'.repeat(65), 'nests brackets more than 64 deep'],
    ['not '.repeat(300) + '1', 'more than 200 operations'],
    ['1' + '+1'.repeat(300), 'more than 200 operations'],
  ])('refuses %s', (source, message) => {
    expect(refusal(source)).toContain(message);
  });

  it('reads the members of an answer that is JSON', () => {
    const scope = { final_message: '{"city": {"name": "Paris"}}' };
    expect(evaluate('(final_message|fromjson).city.name', scope)).toEqual({ kind: 'value', value: 'Paris' });
    expect(evaluate('("["|fromjson)[0]').kind).toBe('unresolved');
    expect(evaluate('final_message.city', scope).kind).toBe('unresolved');
  });

  it('knows what it mentions, not what it quotes', () => {
    const expression = compileExpression('reference_data.trace ~ "task_input" if false else trace[0].final_message', VARIABLES);
    if (expression.kind !== 'expression') return expect.fail(expression.message);
    expect(VARIABLES.filter((name) => expression.mentions(name))).toEqual(['trace', 'reference_data']);
  });

  it('reaches own members only', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": "mine"}');
    expect(evaluate('reference_data.constructor', { reference_data: hostile })).toEqual({ kind: 'value', value: 'mine' });
    expect(evaluate('reference_data.__proto__.polluted', { reference_data: hostile })).toEqual({ kind: 'value', value: 1 });
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length']) {
      for (const owner of ['reference_data', 'trace', 'final_message', '(1)', 'true', '[1]', '{}']) {
        const scope = { reference_data: {}, trace: [], final_message: 'x' };
        expect(evaluate(`${owner}.${key}`, scope).kind, `${owner}.${key}`).toBe('unresolved');
        expect(evaluate(`${owner}['${key}']`, scope).kind).toBe('unresolved');
      }
    }
    expect(evaluate('{"__proto__": {"a": 1}}.a').kind).toBe('unresolved');
    expect(evaluate('{"__proto__": 1}|tojson')).toEqual({ kind: 'value', value: '{"__proto__":1}' });
  });

  it('writes values as JSON with sorted keys', () => {
    const scope = { reference_data: { b: [1, true, null, 'ü"'], a: { d: 1, c: 2 } } };
    expect(evaluate('reference_data|string', scope)).toEqual({ kind: 'value', value: '{"a":{"c":2,"d":1},"b":[1,true,null,"ü\\""]}' });
    expect(evaluate('"x" ~ reference_data.a', scope)).toEqual({ kind: 'value', value: 'x{"c":2,"d":1}' });
  });

  describe('is bounded', () => {
    const million = 'a'.repeat(1_000_000);
    const nested = (depth: number): Value => {
      let value: Value = 1;
      for (let level = 0; level < depth; level += 1) value = [value];
      return value;
    };

    it.each([
      ['growth by replacement', `final_message.replace('a', '${'b'.repeat(1000)}')`],
      ['growth by a separator', `final_message|join('${'b'.repeat(1000)}')`],
      ['growth of growth', 'final_message.replace("a", final_message)'],
      ['repeated concatenation', `[${Array.from({ length: 150 }, () => 'final_message').join(' ~ ')}]`],
      ['repeated JSON', `[${Array.from({ length: 150 }, () => 'trace').join(',')}]|tojson`],
      ['sorting', '(final_message|list + final_message|list)|sort'],
    ])('%s', (_, source) => {
      const started = performance.now();
      expect(evaluate(source, { final_message: million, trace: [million] }).kind).toBe('too_costly');
      expect(performance.now() - started).toBeLessThan(3_000);
    });

    it('still handles a long answer', () => {
      expect(evaluate('(final_message|lower|trim).split("b")|length', { final_message: million })).toEqual({ kind: 'value', value: 1 });
    });

    it('reads a huge trace fast, as far as it may', () => {
      const trace = Array.from({ length: 100_000 }, (_, index) => ({ role: 'user', content: `message ${index}` }));
      const started = performance.now();
      expect(evaluate('trace|map(attribute="content")|unique|list|length', { trace })).toEqual({ kind: 'value', value: 100_000 });
      expect(evaluate('trace|selectattr("content", "in", trace|map(attribute="content")|list)|list', { trace }).kind).toBe('too_costly');
      expect(performance.now() - started).toBeLessThan(3_000);
    });

    it('does not overflow the stack on deep values', () => {
      const scope = { trace: nested(100_000), reference_data: nested(100_000) };
      expect(evaluate('trace|tojson', scope).kind).toBe('unresolved');
      expect(evaluate('trace == reference_data', scope)).toEqual({ kind: 'value', value: true });
    });

    it('refuses or evaluates whatever is written, and never throws', () => {
      const piece = fc.constantFrom(
        'final_message',
        'trace',
        '.a',
        '[0]',
        '[::-1]',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ' if ',
        ' else ',
        '|',
        'join',
        'sort',
        "'x'",
        '1',
        '~',
        '+',
        '-',
        ' not ',
        ' in ',
        ' is ',
        ' and ',
        'upper()',
        '.',
        ',',
        ':',
        '}}',
        '{%',
        '{#',
        '%}',
        '\\',
        '"',
        ' defined',
        '==',
        '**',
        '\n',
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
          const expression = compileExpression(pieces.join(''), VARIABLES);
          if (expression.kind === 'expression') expression.evaluate({ final_message: 'a b', trace: [{ a: 1 }, 'x'] });
        }),
        { numRuns: 3_000 },
      );
    });
  });
});
