import { describe, expect, it } from 'vitest';
import { deriveExampleId } from './derive-example-id.js';

const user = (content: string) => ({ role: 'user' as const, content });

describe('deriveExampleId', () => {
  it('gives the golden value of the contract', () => {
    expect(deriveExampleId({ messages: [user('47 + 138?')], target: '185', aliases: [] })).toBe('0f541589f4750d67');
  });

  it('depends on roles, contents, their order, target and aliases', () => {
    const base = { messages: [user('a'), user('b')], target: 't', aliases: ['x', 'y'] };
    const others = [
      { ...base, messages: [user('b'), user('a')] },
      { ...base, messages: [{ role: 'system' as const, content: 'a' }, user('b')] },
      { ...base, messages: [user('ab')] },
      { ...base, target: null },
      { ...base, target: '' },
      { ...base, aliases: ['y', 'x'] },
      { ...base, aliases: [] },
    ];
    const ids = [base, ...others].map(deriveExampleId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });

  it('hashes text as UTF-8', () => {
    // printf 'user\0añb\0|t|ü|a|é' | sha256sum
    expect(deriveExampleId({ messages: [user('añb')], target: 'ü', aliases: ['é'] })).toBe('95bffead982f2438');
  });
});
