import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { KilnError } from './kiln-error.js';
import { parseWith } from './parse-with.js';

function refused(run: () => unknown): KilnError {
  try {
    run();
  } catch (error) {
    if (error instanceof KilnError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const Thing = z.object({
  name: z.string().min(2),
  count: z.int().min(1).max(3),
  kind: z.enum(['a', 'b']),
  parts: z.array(z.strictObject({ size: z.number() })).max(1),
});
const good = { name: 'ok', count: 1, kind: 'a', parts: [] };

describe('parseWith', () => {
  it('returns the parsed value without unknown fields', () => {
    expect(parseWith(Thing, { ...good, extra: 1 }, 'thing')).toEqual(good);
  });

  it.each([
    [{ ...good, name: 5 }, 'name: expected a string, got 5; put it in quotes'],
    [{ ...good, name: 'x' }, 'name: must have at least 2 characters'],
    [{ ...good, name: undefined }, 'name: is required; expected a string'],
    [{ ...good, count: 1.5 }, 'count: expected a whole number, got 1.5'],
    [{ ...good, count: 0 }, 'count: must be at least 1, got 0'],
    [{ ...good, count: 9 }, 'count: must be at most 3, got 9'],
    [{ ...good, count: Number.NaN }, 'count: must be a finite number, got NaN'],
    [{ ...good, kind: 'c' }, 'kind: must be one of "a", "b", got "c"'],
    [{ ...good, parts: [{ size: 1 }, { size: 2 }] }, 'parts: must have at most 1 item'],
    [{ ...good, parts: [{ size: 1, sise: 2, x: 1 }] }, 'parts[0]: unknown fields "sise", "x"; remove or correct the spelling'],
    [{ ...good, parts: [{ size: Infinity }] }, 'parts[0].size: must be a finite number, got Infinity'],
    ['text', 'thing: expected an object, got "text"'],
    [null, 'thing: expected an object, got null'],
  ])('%o: %s', (value, message) => {
    const error = refused(() => parseWith(Thing, value, 'thing'));
    expect(error.message).toBe(message);
    expect(error.code).toBe('eval_invalid_request');
  });

  it('carries the path, counts the other mistakes, and says what to do', () => {
    const error = refused(() => parseWith(Thing, { ...good, count: 0, kind: 'z' }, 'thing'));
    expect(error).toMatchObject({ path: 'count', hint: 'Correct this field of the thing; 1 more is wrong.' });
  });

  it('puts the place of the value before the path', () => {
    expect(refused(() => parseWith(Thing, { ...good, count: 0 }, 'line 7', { at: ['examples', 6] })).path).toBe('examples[6].count');
  });

  it('takes the code of the check, else the caller’s', () => {
    const checked = z.string().refine(() => false, { error: 'no', params: { code: 'invalid_suite_name' } });
    expect(refused(() => parseWith(checked, 'x', 'name')).code).toBe('invalid_suite_name');
    expect(refused(() => parseWith(z.string(), 1, 'row', { code: 'dataset_invalid' })).code).toBe('dataset_invalid');
  });

  it('shows no more of a bad value than is needed to recognise it', () => {
    const error = refused(() => parseWith(z.enum(['a']), 'x'.repeat(10_000), 'thing'));
    expect(error.message.length).toBeLessThan(120);
  });

  it('answers hostile nesting with an error of the request', () => {
    type Tree = Tree[];
    const Tree: z.ZodType<Tree> = z.array(z.lazy(() => Tree));
    let value: unknown[] = [];
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(refused(() => parseWith(Tree, value, 'tree')).message).toContain('nested too deeply');
  });
});

describe('KilnError', () => {
  it('keeps its cause out of the answer', () => {
    const error = new KilnError('database_unavailable', 'the database does not answer', { cause: new Error('postgres://u:secret@h') });
    expect(error.status).toBe(503);
    expect(JSON.stringify(error.toBody())).toBe(
      '{"error":{"code":"database_unavailable","message":"the database does not answer","hint":null}}',
    );
  });
});
