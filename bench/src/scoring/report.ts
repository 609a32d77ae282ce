import { median } from '../overhead/report.js';
import { table } from '../table.js';
import { type TimedJob } from './time-job.js';
import { type TimedRescore } from './time-rescore.js';
import { type TimedScorer } from './time-scorers.js';

export interface ScoringReport {
  environment: Record<string, string | number>;
  scorers: TimedScorer[];
  job: TimedJob;
  rescore: TimedRescore | null;
}

/** The report for people. */
export function reportText({ environment, scorers, job, rescore }: ScoringReport): string {
  return [
    Object.entries(environment)
      .map(([name, value]) => `${name} ${value}`)
      .join(' · '),
    '',
    ...table(
      ['scorer, one core', 'outcomes/s', 'aim', 'of aim'],
      scorers.map(({ name, perSecond, aim }) => [
        name,
        count(perSecond),
        aim === null ? '' : count(aim),
        aim === null ? '' : `${(perSecond / aim).toFixed(1)} x`,
      ]),
    ),
    '',
    `comparison of ${count(job.examples)} examples, ${count(job.moved)} moved, 100,000 draws: ${count(job.reduceMs + job.testMs + job.decideMs)} ms (aim: less than 2,000)`,
    `  reduce, measure and pair ${count(job.reduceMs)} ms · tests in a thread ${count(job.testMs)} ms · decide ${count(job.decideMs)} ms`,
    `  the event loop was blocked for ${job.blockedMs.toFixed(0)} ms at most · verdict ${job.outcome}`,
    ...(rescore === null ? [] : ['', rescoreLine(rescore)]),
    '',
  ].join('\n');
}

function rescoreLine({ traces, ms, generated }: TimedRescore): string {
  const rate = (traces / median(ms)) * 1000;
  return `rescore of ${count(traces)} stored traces over REST: ${count(rate)} traces/s (aim: 5,000; median of ${ms.length}), ${generated} generations`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
