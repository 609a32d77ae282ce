import { type Tool } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, json, score, xml } from './written-calls.fixture.js';

const structural = { args: { kind: 'structural' } };

describe('laws of tool_call', () => {
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'command', 'code', 'body'),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const value = fc.jsonValue({ maxDepth: 3 });
  // fromEntries sets own members, `__proto__` included
  const call = fc.tuple(
    fc.stringMatching(/^[a-z][\w.]{0,8}$/),
    fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  );
  const calls = fc.array(call, { minLength: 1, maxLength: 4 });
  const args = fc.constantFrom('keys_only', 'structural', 'auto').map((kind) => ({ args: { kind } }));

  it('a target against itself is 1', () => {
    fc.assert(
      fc.property(calls, args, (target, config) => {
        expect(score(json(...target), json(...target), config)).toMatchObject({ kind: 'pass', score: 1 });
      }),
    );
  });

  it('a target against itself is 1, also through XML, when the schema is known', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '<', '>', '=', '/', '{', '"', '1', '</function>', '</parameter>', '<tool_call>'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
        (values) => {
          // `</parameter>` that only tags follow ends the value: nothing can tell it from a real one
          fc.pre(
            !Object.values(values).some(
              (item) => /<\/parameter>\s*(?:<|$)|<\/function>\s*(?:<|$)/.test(String(item)) || /^\r?$/.test(String(item)),
            ),
          );
          const properties = Object.fromEntries(Object.entries(values).map(([name, item]) => [name, { type: typeof item }]));
          const tools = [{ name: 'f', parameters: { type: 'object', properties } }] as unknown as Tool[];
          const result = score(xml(['f', values]), json(['f', values]), structural, { tools });
          expect(result, xml(['f', values])).toMatchObject({ kind: 'pass', score: 1 });
        },
      ),
    );
  });

  it('a number is never ten times itself', () => {
    // Below 1.2e-7 `auto` cannot tell them: the contract's absolute tolerance is 1e-6.
    const number = fc
      .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      .filter((n) => Math.abs(n) > 1.2e-7 && Number.isFinite(n * 10));
    fc.assert(
      fc.property(number, fc.constantFrom('auto', 'structural'), fc.boolean(), (n, kind, asText) => {
        const written = (item: number) => json(['f', { n: asText ? String(item) : item }]);
        expect(score(written(n * 10), written(n), { args: { kind } }).kind).toBe('fail');
        expect(score(written(n), written(n * 10), { args: { kind } }).kind).toBe('fail');
      }),
      { numRuns: 500 },
    );
    const big = (digits: string) => `{"name":"f","arguments":{"n":${digits}}}`;
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }), (n) => {
        for (const other of [n * 10n, n + 1n]) expect(score(big(`${other}`), big(`${n}`), structural).kind).toBe('fail');
      }),
    );
  });

  it('the order of keys does not matter', () => {
    const reversed = (values: object): object => Object.fromEntries(Object.entries(values).toReversed());
    fc.assert(
      fc.property(calls, args, (target, config) => {
        const answer = target.map(([name, values]): Call => [name, reversed(values)]);
        expect(score(json(...answer), json(...target), config)).toMatchObject({ kind: 'pass', score: 1 });
      }),
    );
  });

  it('never throws, stays in [0, 1], and passes only with every name', () => {
    fc.assert(
      fc.property(calls, calls, args, (answer, target, config) => {
        const { kind, score: value } = score(json(...answer), json(...target), config);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        if (kind === 'pass')
          for (const [index, [name]] of target.entries()) expect(answer[index]?.[0].toLowerCase()).toBe(name.toLowerCase());
      }),
    );
  });
});
