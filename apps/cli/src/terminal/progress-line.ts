import type { JobState, Progress } from '@kiln/contracts';
import { percent } from './numbers.js';

const BAR_WIDTH = 24;

/** A bar of `width` characters that is full at `fraction` 1, in eighths of a character. */
export function bar(fraction: number, width = BAR_WIDTH): string {
  const eighths = Math.round(Math.min(Math.max(fraction, 0), 1) * width * 8);
  const whole = '█'.repeat(Math.floor(eighths / 8));
  const rest = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] ?? '';
  return `${whole}${rest}`.padEnd(width, '░');
}

/** What a job has done so far, on one line. @param seconds  since it was submitted */
export function progressLine(state: JobState, progress: Progress, seconds: number): string {
  const { samples_completed: done, samples_total: total, samples_generated: generated, running_accuracy: accuracy } = progress;
  const parts: string[] = [state];
  // What waits for its judge or sandbox is no outcome yet.
  if (generated > 0) parts.push(`${generated} generated`);
  parts.push(`${done}/${total} samples`, `${progress.examples_completed}/${progress.examples_total} examples`);
  if (accuracy !== null) parts.push(`accuracy so far ${percent(accuracy)}`);
  return `${parts.join(' · ')} · ${seconds.toFixed(0)} s`;
}

/** The same with a bar in front, for a terminal that redraws it. */
export function progressBar(state: JobState, progress: Progress, seconds: number): string {
  const fraction = progress.samples_total === 0 ? 0 : progress.samples_completed / progress.samples_total;
  return `${bar(fraction)} ${percent(fraction).padStart(6)} · ${progressLine(state, progress, seconds)}`;
}
