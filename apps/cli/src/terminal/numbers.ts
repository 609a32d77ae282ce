import type { Interval } from '@kiln/contracts';

/** A rate as a percentage with one decimal; `–` when there is none. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)}%`;
}

/** The ends of a confidence interval as percentages. */
export function interval(range: Pick<Interval, 'lower' | 'upper'> | null): string {
  return range === null ? '' : `[${(range.lower * 100).toFixed(1)}, ${(range.upper * 100).toFixed(1)}]`;
}

/** A difference of rates in percentage points, always with its sign. */
export function points(delta: number | null): string {
  if (delta === null) return '–';
  const text = (delta * 100).toFixed(1);
  return delta > 0 ? `+${text}` : text.replace(/^-0\.0$/, '0.0');
}

/** A p value: three significant digits, never shown as 0. */
export function pValue(p: number): string {
  if (p >= 0.9995) return '1';
  if (p >= 0.0001) return p.toPrecision(3).replace(/\.?0+$/, '');
  return p === 0 ? '< 1e-300' : p.toExponential(1);
}

/** US dollars as the API writes them (a decimal string); null = unknown, which is not 0. */
export function dollars(usd: string | null): string {
  return usd === null ? 'unknown' : `$${usd}`;
}

/** A whole number with thin groups: 12345 → 12,345. */
export function count(value: number): string {
  return value.toString().replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A number of things: 1 example, 1,200 examples. @param noun  in the singular */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A time span: 0.8 s, 42.3 s, 3 min 20 s, 2 h 5 min. @param ms  milliseconds, ≥ 0 */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long a job or a run took; null before its end. */
export function elapsed(done: Readonly<{ started_at: string | null; finished_at: string | null }>): string | null {
  if (done.started_at === null || done.finished_at === null) return null;
  return duration(Date.parse(done.finished_at) - Date.parse(done.started_at));
}

/** How long ago a moment was. @param instant  ISO 8601 */
export function ago(instant: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}
