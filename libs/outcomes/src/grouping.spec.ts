import { type Aggregation } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { groupByExample } from './group-by-example.js';
import { rows } from './raw-rows.fixture.js';
import { reduceOutcomes } from './reduce-outcomes.js';
import { type ReducibleRow } from './reducers/reduction.js';

const of = (example_id: string, ...kinds: ('pass' | 'fail')[]): ReducibleRow[] => rows(...kinds).map((row) => ({ ...row, example_id }));
const pass2: Aggregation = { kind: 'pass_at_k', k: 2 };

describe('reduceOutcomes', () => {
  it('reduces interleaved rows, in order of first appearance', () => {
    const [b, a] = [of('b', 'fail', 'pass'), of('a', 'fail', 'fail')];
    const reduced = reduceOutcomes(pass2, [b[1], a[0], b[0], a[1]] as ReducibleRow[]);
    expect(reduced.map(({ example_id, kind }) => [example_id, kind])).toEqual([
      ['b', 'pass'],
      ['a', 'fail'],
    ]);
  });

  it('keeps ids such as __proto__ apart', () => {
    expect(reduceOutcomes(pass2, [...of('__proto__', 'pass', 'pass'), ...of('constructor', 'fail', 'fail')])).toHaveLength(2);
  });
});

describe('groupByExample', () => {
  it('yields one group per example, incomplete ones too, in stream order', async () => {
    async function* stream(): AsyncGenerator<ReducibleRow> {
      yield* of('b', 'pass', 'fail');
      yield* of('a', 'pass');
      yield* of('c', 'fail', 'fail');
    }
    const groups: [string, number][] = [];
    for await (const group of groupByExample(stream())) groups.push([group[0].example_id, group.length]);
    expect(groups).toEqual([
      ['b', 2],
      ['a', 1],
      ['c', 2],
    ]);
  });

  it('yields nothing for nothing', async () => {
    const groups = groupByExample<ReducibleRow>([]);
    expect(await groups.next()).toEqual({ done: true, value: undefined });
  });
});
