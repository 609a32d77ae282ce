import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { CompareRequest, targetsOfCompare } from './compare-request.js';

function adaptersInOrder(written: object): (string | undefined)[] {
  return targetsOfCompare(CompareRequest.parse({ suite: 's', ...written })).map((target) =>
    target.kind === 'model' ? target.adapter : target.name,
  );
}

describe('CompareRequest', () => {
  it('compares with the first adapter, or with the baseline, which it adds when it is not listed', () => {
    expect(adaptersInOrder({ adapters: ['', 'v1', 'v2'] })).toEqual(['', 'v1', 'v2']);
    expect(adaptersInOrder({ adapters: ['v1', '', 'v2'], baseline: '' })).toEqual(['', 'v1', 'v2']);
    expect(adaptersInOrder({ adapters: ['v1', 'v2'], baseline: '' })).toEqual(['', 'v1', 'v2']);
  });

  it('gives every adapter the model', () => {
    const request = CompareRequest.parse({ suite: 's', model: 'm', adapters: ['a'] });
    expect(targetsOfCompare(request)).toEqual([{ kind: 'model', model: 'm', adapter: 'a' }]);
  });

  it('takes targets, and moves the named baseline to the front', () => {
    const targets = [
      { kind: 'model', name: 'local' },
      { kind: 'endpoint', name: 'hosted', base_url: 'https://h/v1', model: 'm', pricing: { kind: 'unknown' } },
    ];
    const order = (baseline?: string): (string | undefined)[] =>
      targetsOfCompare(CompareRequest.parse({ suite: 's', targets, ...(baseline ? { baseline } : {}) })).map((target) => target.name);
    expect(order()).toEqual(['local', 'hosted']);
    expect(order('hosted')).toEqual(['hosted', 'local']);
  });

  it('fills the gate’s policy', () => {
    const { gate } = CompareRequest.parse({ suite: 's', adapters: ['', 'a'], gate: { min_accuracy: 0.9 } });
    expect(gate).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0.9 });
  });

  it.each([
    [{ suite: 's' }, 'adapters: send exactly one of "adapters" and "targets"'],
    [{ suite: 's', adapters: ['a'], targets: [{ kind: 'model' }] }, 'adapters: send exactly one'],
    [{ suite: 's', adapters: [] }, 'adapters: must have at least 1 item'],
    [{ suite: 's', adapters: 'abcdefghi'.split('') }, 'adapters: must have at most 8 items'],
    [{ suite: 's', adapters: 'abcdefgh'.split(''), baseline: '' }, 'baseline: is not listed, and adding it would make more than 8'],
    [{ suite: 's', adapters: ['a', 'a'] }, 'adapters[1]: "a" is listed twice'],
    [
      {
        suite: 's',
        targets: [
          { kind: 'model', name: 'x' },
          { kind: 'model', name: 'x' },
        ],
      },
      'targets[1]: "x" is listed twice',
    ],
    [{ suite: 's', targets: [{ kind: 'model', name: 'x' }], baseline: 'y' }, 'baseline: no target is named "y"'],
    [{ suite: 's', targets: [{ kind: 'model' }], model: 'm' }, 'model: belongs to "adapters"'],
    [{ adapters: ['a'] }, 'suite: is required'],
    [{ suite: 's', adapters: ['a'], gate: {} }, 'gate.min_accuracy: is required'],
    [{ suite: 's', adapters: ['a'], gate: { min_accuracy: 1.1 } }, 'gate.min_accuracy: must be at most 1'],
    [{ suite: 's', adapters: ['a'], gate: { min_accuracy: 0.5, min_acuracy: 1 } }, 'gate: unknown field "min_acuracy"'],
    [
      { suite: 's', adapters: ['a'], gate: { min_accuracy: 0.5, policy: 'x' } },
      'gate.policy: unknown policy; use paired_wilson_v1, objective_gates_v1 or hillclimb_v1',
    ],
    [
      { suite: 's', adapters: ['a'], gate: { min_accuracy: 0.5, min_relative_recovery: -1 } },
      'gate.min_relative_recovery: must be at least 0',
    ],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(CompareRequest, written, 'request body')).toThrow(message);
  });
});
