import { clip } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';

/** An example that passes on one side only, with what both sides answered. */
export interface Flip {
  readonly direction: 'improved' | 'regressed';
  readonly exampleId: string;
  readonly prompt: string;
  readonly target: string | null;
  readonly before: string;
  readonly after: string;
}

/** One line a flip. Texts come from models and suites: they are made safe and cut. */
export function flipLines(flips: readonly Flip[], before: string, after: string, style: Style): string[] {
  return flips.map((flip) => {
    const sign = flip.direction === 'improved' ? style.good('+') : style.bad('−');
    const target = flip.target === null ? '' : `, wanted ${quoted(flip.target, 16)}`;
    return `${sign} ${clip(flip.exampleId, 24)}: ${quoted(flip.prompt, 40)}${target}: ${before} ${quoted(flip.before, 24)}, ${after} ${quoted(flip.after, 24)}`;
  });
}

function quoted(text: string, width: number): string {
  return `“${clip(text, width)}”`;
}
