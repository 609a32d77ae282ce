import { type FrozenModelTarget } from '@kiln/contracts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FileMemo } from '../file-memo.js';
import { loadOrtLibrary } from '../ort/ort-library.js';
import { MODELS, onnxTarget } from '../testing/onnx-target.fixture.js';
import { ModelPool } from './model-pool.js';

/** Native objects of each kind that this test has alive. */
let census: () => Record<string, number>;
const targets: Record<'base' | 'math' | 'add' | 'plain', FrozenModelTarget> = {} as never;
beforeAll(async () => {
  const { library } = await loadOrtLibrary();
  const before = library!.census.counts();
  census = () => {
    const own = Object.entries(library!.census.counts()).map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const);
    return Object.fromEntries(own.filter(([, count]) => count !== 0));
  };
  targets.base = await onnxTarget('tiny-arith');
  targets.math = await onnxTarget('tiny-arith', 'math-v2');
  targets.add = await onnxTarget('tiny-arith', 'add-only-v1');
  targets.plain = await onnxTarget('tiny-arith-plain');
});

const pools: ModelPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  const left = census();
  if (Object.keys(left).length > 0) throw new Error(`not freed: ${JSON.stringify(left)}`);
});

function open(weightBytes = 2 ** 30): ModelPool {
  const budget = { kvCacheBytes: 2 ** 26, weightBytes };
  const pool = new ModelPool({ modelDir: MODELS, threads: 1, maxBatch: 4, budget, memo: new FileMemo() });
  pools.push(pool);
  return pool;
}

describe('ModelPool', () => {
  it('has one session for a model and all its adapters', async () => {
    const pool = open();
    const models = await Promise.all([targets.base, targets.math, targets.add, targets.math].map((target) => pool.load(target)));
    expect(models[1]).toBe(models[3]);
    expect(census()).toMatchObject({ session: 1 });
    const leases = await Promise.all(models.map((model) => pool.lease(model)));
    expect(new Set(leases.map(({ session }) => session)).size).toBe(1);
    expect(new Set(leases.map(({ adapter }) => adapter.key)).size).toBe(3);
    for (const { release } of leases) await release();
  });

  it('gives up what nobody uses when others need the room, and brings it back', async () => {
    const pool = open(1);
    const base = await pool.load(targets.base);
    const plain = await pool.load(targets.plain);
    expect(census()).toMatchObject({ session: 1 });
    const lease = await pool.lease(base);
    const other = await pool.lease(plain);
    expect(census()).toMatchObject({ session: 2 });
    await other.release();
    await pool.load(targets.math);
    // What is leased stays; an adapter stays until another one comes.
    expect(census()).toMatchObject({ session: 1 });
    const math = lease.session.adapterBytes;
    expect(math).toBeGreaterThan(0);
    await pool.load(targets.add);
    const add = lease.session.adapterBytes;
    const both = open();
    for (const target of [targets.math, targets.add]) await both.load(target);
    const { session, release } = await both.lease(both.get(targets.math));
    expect(session.adapterBytes).toBe(math + add);
    await release();
    expect((await pool.lease(base)).session).toBe(lease.session);
    expect(lease.session.adapterBytes).toBe(0);
  });

  it('keeps what is in use until it is given back, then frees what was unloaded', async () => {
    const pool = open();
    const math = await pool.load(targets.math);
    await pool.load(targets.base);
    const lease = await pool.lease(math);
    await pool.unload(targets.math);
    await pool.unload(targets.math);
    await pool.unload(targets.base);
    expect(() => pool.get(targets.base)).toThrow(/not loaded/);
    expect(lease.session.adapterBytes).toBeGreaterThan(0);
    await lease.release();
    expect(census()).toEqual({});
    // Samples that were in line when their target was unloaded are still served.
    const late = await pool.lease(math);
    expect(census()).toMatchObject({ session: 1 });
    await late.release();
    expect(census()).toEqual({});
  });

  it('probes no more rows than there is memory for', async () => {
    const budget = { kvCacheBytes: 2 ** 20, weightBytes: 2 ** 30 };
    const pool = new ModelPool({ modelDir: MODELS, threads: 1, maxBatch: 10_000_000, budget, memo: new FileMemo() });
    pools.push(pool);
    const { session, release } = await pool.lease(await pool.load(targets.math));
    expect(session.rules).toMatchObject({ minRows: 1, maxRows: 10_000_000 });
    await release();
  });

  it('frees an adapter with its target, and the model with the last one', async () => {
    const pool = open();
    const [base] = [await pool.load(targets.base), await pool.load(targets.math)];
    const lease = await pool.lease(base);
    expect(lease.session.adapterBytes).toBeGreaterThan(0);
    await pool.unload(targets.math);
    expect(lease.session.adapterBytes).toBe(0);
    await lease.release();
    expect(census()).toMatchObject({ session: 1 });
    await pool.unload(targets.base);
    expect(census()).toEqual({});
  });
});
