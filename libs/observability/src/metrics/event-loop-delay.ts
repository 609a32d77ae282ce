import { type Histogram } from 'prom-client';

const PERIOD_MS = 100;

/**
 * Observes how late a 100 ms timer fires, in seconds, until the returned function is called. A worker whose loop is late cannot
 * renew leases, so this is the first thing to look at when leases are lost.
 */
export function observeEventLoopDelay(histogram: Histogram<string>): () => void {
  let expected = performance.now() + PERIOD_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    histogram.observe(Math.max(0, now - expected) / 1000);
    expected = now + PERIOD_MS;
  }, PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}
