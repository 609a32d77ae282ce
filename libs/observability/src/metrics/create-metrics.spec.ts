import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from './create-metrics.js';

describe('createMetrics', () => {
  const open: Metrics[] = [];
  const create = (service: string) => {
    const metrics = createMetrics(service, { version: '1.2.3', commit: 'abc' });
    open.push(metrics);
    return metrics;
  };
  afterEach(() => open.splice(0).forEach((metrics) => metrics.close()));

  it('keeps a registry per call', async () => {
    const [one, two] = [create('worker'), create('scheduler')];
    one.claims.inc({ result: 'ok' });
    expect(await one.text()).toContain('kiln_claims_total{result="ok",service="worker"} 1');
    expect(await two.text()).not.toContain('result="ok"');
  });

  it('says what runs', async () => {
    expect(await create('worker').text()).toContain(
      `kiln_build_info{version="1.2.3",commit="abc",node="${process.version}",service="worker"} 1`,
    );
  });

  it('follows the naming rules: prefix, _total on counters only, base units', async () => {
    for (const { name, type } of await create('worker').registry.getMetricsAsJSON()) {
      expect(name).toMatch(/^(kiln|nodejs|process)_[a-z0-9_]+$/);
      if (!name.startsWith('kiln_')) continue;
      expect([name, name.endsWith('_total')]).toEqual([name, (type as unknown as string) === 'counter']);
      if ((type as unknown as string) === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  it('observes the delay of the event loop', async () => {
    const metrics = create('worker');
    await new Promise((resolve) => setTimeout(resolve, 120));
    const blockedUntil = performance.now() + 300;
    while (performance.now() < blockedUntil);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [sum] = (await metrics.eventLoopDelay.get()).values.filter(({ metricName }) => metricName?.endsWith('_sum'));
    expect(sum?.value).toBeGreaterThan(0.15);
  });
});
