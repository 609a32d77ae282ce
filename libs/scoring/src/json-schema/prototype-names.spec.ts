import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hideName, hideNames, showName } from './prototype-names.js';

const name = fc.oneof(
  fc.string(),
  fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
  fc.tuple(fc.constantFrom('constructo', 'value', '__proto_', ''), fc.nat(3)).map(([stem, marks]) => stem + '\uE000'.repeat(marks)),
);

it('hiding is undone by showing, so that different names stay different', () => {
  fc.assert(fc.property(name, (text) => showName(hideName(text)) === text));
});

it('no hidden name is one of Object.prototype, and lengths of ordinary ones stay', () => {
  fc.assert(
    fc.property(name, (text) => {
      const hidden = hideName(text);
      return !(hidden in {}) && (text.includes('\uE000') || hidden.length === text.length);
    }),
  );
});

it('what needs no hiding is not copied', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      if (/\uE000|proto|constructor|valueOf|has|is|to|define|lookup/.test(json)) return;
      expect(hideNames(value, 100)).toBe(value);
    }),
  );
});
