import { table } from '../table.js';
import { type DecoderShape } from '@kiln/inference/testing';
import { type PagedLimits } from './measure-paged-limits.js';
import { type Measured, type MeasuredModel } from './measure-model.js';
import { type MeasuredPlatform } from './measure-platform.js';
import { type Times } from './stopwatch.js';
import { medianTimes, ofLimit, type Summary } from './summary.js';
import { type WorkloadSizes } from './workload.js';

export interface EngineReport {
  environment: Record<string, string | number>;
  /** What was left out, and why. */
  notices: string[];
  limits: PagedLimits;
  sizes: WorkloadSizes;
  /** Of the first model. */
  shape: DecoderShape;
  models: MeasuredModel[];
  platform: MeasuredPlatform | null;
  summary: Summary;
}

/** The report for people. */
export function reportText(report: EngineReport): string {
  const { environment, notices, limits, models } = report;
  const facts = Object.entries(environment).map(([name, value]) => `${name} ${value}`);
  return [
    facts.join(' · '),
    `measured limits of one thread: ${giga(limits.ordinary.bytesPerS)} GB/s with ordinary pages, ${giga(limits.huge.bytesPerS)} GB/s with huge ones · ` +
      `${giga(limits.ordinary.flopsPerS)} and ${giga(limits.huge.flopsPerS)} GFLOP/s`,
    ...notices,
    '',
    ...models.flatMap((model) => [...endToEndTable(model, report.sizes), '', ...decodeTable(model, report)]),
    ...summaryLines(report),
    '',
  ].join('\n');
}

function endToEndTable({ model, answerTokens, endToEnd }: MeasuredModel, { examples, completions }: WorkloadSizes): string[] {
  const kiln = medianTimes(endToEnd.find(({ contender }) => contender === 'Kiln')!.runs);
  const rows = endToEnd.map((measured) => {
    const { cpuS, wallS } = medianTimes(measured.runs);
    const rate = (answerTokens / cpuS).toFixed(1);
    return [
      label(measured),
      cpuS.toFixed(2),
      range(measured.runs, 1, 2),
      wallS.toFixed(2),
      rate,
      `${(cpuS / kiln.cpuS).toFixed(2)} x`,
      same(measured),
    ];
  });
  const head = [`${model}, ${examples} × ${completions} answers`, 'CPU-s', 'min–max', 'wall s', 'tokens/CPU-s', 'of Kiln', 'same answers'];
  return table(head, rows);
}

function decodeTable({ model, decode }: MeasuredModel, { shape, sizes, limits }: EngineReport): string[] {
  if (decode.length === 0) return [];
  const rows = decode.map((measured) => {
    const { cpuS, wallS } = medianTimes(measured.runs);
    const { share, shareOfHuge, bound, limitS } = ofLimit(measured, shape, sizes, limits);
    const limit = `${(limitS * 1000).toFixed(1)} (${bound})`;
    const rate = (measured.rows! / cpuS).toFixed(1);
    return [
      label(measured),
      (cpuS * 1000).toFixed(1),
      range(measured.runs, 1000, 1),
      (wallS * 1000).toFixed(1),
      rate,
      limit,
      percent(share),
      percent(shareOfHuge),
      same(measured),
    ];
  });
  const head = [
    `${model}, one step after ${sizes.promptTokens} tokens`,
    'CPU-ms',
    'min–max',
    'wall ms',
    'tokens/CPU-s',
    'limit ms',
    'of limit',
    'huge pages',
    'same answers',
  ];
  return [...table(head, rows), ''];
}

function summaryLines({ models, summary }: EngineReport): string[] {
  const speedups = models.map(({ model }, index) => {
    const { cpu, wall, rows } = summary.overTransformersJs[model]!;
    const name = index === 0 ? 'engine / transformers.js' : `engine / transformers.js (${model})`;
    return `${name}: ${cpu.toFixed(1)} x end to end in CPU time, at its batch ${rows}; wall ${wall.toFixed(1)} x${index === 0 ? ' (aim: at least 6 x)' : ''}`;
  });
  const decode = summary.decode.map(({ rows, share, shareOfHuge, bound }) => {
    const aim = rows === 1 ? ' (aim: at least 90 %)' : rows === 32 ? ' (aim: at least 75 %)' : '';
    return `decoding at batch ${rows}: ${percent(share)} of the limit with ordinary pages, which is ${bound}${aim}; ${percent(shareOfHuge)} with huge ones`;
  });
  const overhead = summary.platformOverhead;
  return [
    ...speedups,
    `end to end: ${percent(summary.endToEndShare)} of the limit with huge pages`,
    ...decode,
    ...(overhead === null
      ? []
      : [`platform overhead: ${overhead.cpu.toFixed(3)} in CPU time, ${overhead.wall.toFixed(3)} wall (aim: at most 1.10)`]),
  ];
}

function label({ contender, rows }: Measured): string {
  return rows === null ? contender : `${contender}, batch ${rows}`;
}

function same({ answers, equalAnswers }: Measured): string {
  return `${equalAnswers} of ${answers}`;
}

function range(runs: readonly Times[], scale: number, digits: number): string {
  const values = runs.map(({ cpuS }) => cpuS * scale);
  return `${Math.min(...values).toFixed(digits)} – ${Math.max(...values).toFixed(digits)}`;
}

function giga(number: number): string {
  return (number / 1e9).toFixed(1);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
