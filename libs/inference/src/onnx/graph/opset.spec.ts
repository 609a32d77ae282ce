import { describe, expect, it } from 'vitest';
import { opset } from './opset.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';

const imports = (...domains: [domain: string | null, version: number][]) => ({
  header: [
    varintField(1, 8),
    ...domains.map(([domain, version]) =>
      joinPieces(bytesField(8, [...(domain === null ? [] : [textField(1, domain)]), varintField(2, version)])),
    ),
  ],
});

describe('opset', () => {
  it.each([
    [imports(['com.microsoft', 1], ['', 17]), 17],
    [imports([null, 21], ['com.microsoft', 1]), 21],
    [imports(['ai.onnx', 14]), 14],
    [imports(['com.microsoft', 1]), 1],
    [imports(), 1],
  ])('of case %#', (model, version) => {
    expect(opset(model)).toBe(version);
  });
});
