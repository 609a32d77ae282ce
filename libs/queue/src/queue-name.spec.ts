import { describe, expect, it } from 'vitest';
import { poolOf, queueName } from './queue-name.js';

describe('queueName', () => {
  it('takes any identity, and BullMQ takes the name: no colon', () => {
    expect(queueName('cpu', 'onnx:org/model@sha256:00 – ü')).toMatch(/^shards\.cpu\.[0-9a-f]{24}$/);
  });

  it('is the same for the same model, and another one for another pool or model', () => {
    const names = [queueName('cpu', 'a'), queueName('cpu', 'b'), queueName('cuda', 'a')];
    expect(new Set(names).size).toBe(3);
    expect(queueName('cpu', 'a')).toBe(names[0]);
  });

  it('gives the pool back for metrics', () => {
    expect(poolOf(queueName('judge-2', 'x'))).toBe('judge-2');
    expect(poolOf('something-else')).toBe('unknown');
  });

  it('refuses a pool that could be taken for another', () => {
    expect(() => queueName('cpu.x', 'a')).toThrow(/pool/);
  });
});
