import { table } from '../table.js';
import { type PeakMemory } from './peak-memory.js';
import { type ServiceName, SERVICES } from './start-bench-stack.js';

export interface TimedSize {
  samples: number;
  /** From POST /v1/eval/run until the finished result was read, ms, one for each run. */
  kilnMs: number[];
  /** The plain inserts of the same rows, ms, one for each run. */
  insertMs: number[];
}

export interface MemoryComparison {
  small: { samples: number; peaks: Record<ServiceName, PeakMemory | null> };
  large: { samples: number; peaks: Record<ServiceName, PeakMemory | null> };
}

export interface OverheadReport {
  environment: Record<string, string | number>;
  timings: TimedSize[];
  admission: { samples: number; ms: number[] };
  memory: MemoryComparison | null;
}

/** Middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The report for people. */
export function reportText({ environment, timings, admission, memory }: OverheadReport): string {
  const facts = Object.entries(environment).map(([name, value]) => `${name} ${value}`);
  return [
    facts.join(' · '),
    '',
    ...table(['samples', 'median', 'min–max', 'Kiln', 'plain inserts', 'of plain'], timings.map(timingRow)),
    '',
    `admission of ${count(admission.samples)} samples: median ${ms(median(admission.ms))} (${range(admission.ms)}); aim: less than 1 s`,
    ...(memory === null ? [] : ['', ...memoryTable(memory)]),
    '',
  ].join('\n');
}

function timingRow({ samples, kilnMs, insertMs }: TimedSize): string[] {
  const rate = (milliseconds: number): number => (samples / milliseconds) * 1000;
  const [kiln, plain] = [rate(median(kilnMs)), rate(median(insertMs))];
  return [
    count(samples),
    ms(median(kilnMs)),
    range(kilnMs),
    `${count(kiln)} samples/s`,
    `${count(plain)} samples/s`,
    `${Math.round((kiln / plain) * 100)} %`,
  ];
}

function memoryTable({ small, large }: MemoryComparison): string[] {
  const rows = SERVICES.flatMap((name) => {
    const [before, after] = [small.peaks[name], large.peaks[name]];
    if (before === null || after === null) return [[name, 'unknown', 'unknown', '']];
    const own = memoryRow(name, before.own, after.own);
    return before.children + after.children === 0 ? [own] : [own, memoryRow(`${name}’s engine`, before.children, after.children)];
  });
  return table(['peak memory', count(small.samples), count(large.samples), 'ratio (aim ≤ 1.15)'], rows);
}

function memoryRow(name: string, before: number, after: number): string[] {
  return [name, `${before.toFixed(1)} MiB`, `${after.toFixed(1)} MiB`, (after / before).toFixed(3)];
}

function ms(value: number): string {
  return value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(2)} s`;
}

function range(values: readonly number[]): string {
  return `${ms(Math.min(...values))} – ${ms(Math.max(...values))}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
