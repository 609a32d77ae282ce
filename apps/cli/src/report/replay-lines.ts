import type { Job, ReplayDifference } from '@kiln/contracts';
import { count } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';

/** What a replay came to; empty for other jobs, and while it goes on. */
export function replayLines({ replay_verdict: verdict }: Pick<Job, 'replay_verdict'>, style: Style): string[] {
  if (verdict === null) return [];
  const of = `job ${verdict.source_job_id}, run ${verdict.source_run_index}`;
  if (verdict.status === 'error') return ['', `replay of ${of}: ${style.doubtful('error')}`, `  ${safeText(verdict.reason ?? '')}`];
  const shown = verdict.status === 'matched' ? style.good('matched') : style.bad('mismatch');
  const lines = [
    '',
    `replay of ${of}: ${shown} · ${count(verdict.samples_compared - verdict.samples_different)} of ${count(verdict.samples_compared)} completions are the same`,
    style.dim(`  expected ${verdict.expected_sha256}`),
    style.dim(`  actual   ${verdict.actual_sha256}`),
  ];
  if (verdict.source_changed) {
    lines.push(style.bad('  the stored texts of the source no longer give the digest in its record: they were changed after it had ended'));
  }
  if (verdict.first_difference !== null) lines.push(...differenceLines(verdict.first_difference));
  return lines;
}

function differenceLines(difference: ReplayDifference): string[] {
  const { example_id: example, completion_index: index, form, token, byte } = difference;
  const where = [
    ...(token === null ? [] : [`token ${token}`]),
    byte === null ? 'whose bytes are equal' : `byte ${byte} of its ${form} text`,
  ];
  const lines = [`  first difference: example ${safeText(example)}, completion ${index}, ${where.join(', ')}`];
  if (token !== null) {
    lines.push(
      `    expected ${tokenText(difference.expected_token)} in ${JSON.stringify(difference.expected_tokens)}`,
      `    actual   ${tokenText(difference.actual_token)} in ${JSON.stringify(difference.actual_tokens)}`,
    );
  }
  if (byte !== null) {
    lines.push(
      `    expected ${byteText(difference.expected_byte)} in ${safeText(JSON.stringify(difference.expected_context))}`,
      `    actual   ${byteText(difference.actual_byte)} in ${safeText(JSON.stringify(difference.actual_context))}`,
    );
  }
  return lines;
}

function tokenText(token: number | null): string {
  return token === null ? 'no token' : `token ${token}`;
}

function byteText(byte: number | null): string {
  return byte === null ? 'the end' : `0x${byte.toString(16).padStart(2, '0')}`;
}
