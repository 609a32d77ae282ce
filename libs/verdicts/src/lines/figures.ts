/** How the printed lines of verdicts write numbers: fixed digits, a dot, no grouping. */

/** @example percentText(0.62, 0) // '62%' */
export function percentText(rate: number, digits: number): string {
  return `${(rate * 100).toFixed(digits)}%`;
}

/** @example riseText(35, '%', 1) // '+35.0%' */
export function riseText(delta: number, unit: 'pp' | '%', digits: number): string {
  return `${signed(delta, digits)}${unit}`;
}

/** @example pointsText(0.3) // '+30.0 pts' */
export function pointsText(delta: number): string {
  return `${signed(delta * 100, 1)} pts`;
}

/** Three decimals, or as many as keep a p on its side of `alpha`; below 0.001 it says so. */
export function pText(p: number, alpha: number): string {
  if (p < 0.001) return 'p<0.001';
  const [shown] = distinctly((digits, value) => value.toFixed(digits), p, alpha, 3);
  return `p=${shown}`;
}

/**
 * Two numbers that were compared, as texts: with as many more digits as it takes to tell different ones apart, so that no
 * line says that 55% is below 55%.
 */
export function distinctly(
  write: (digits: number, value: number) => string,
  value: number,
  limit: number,
  digits: number,
): [value: string, limit: string] {
  const texts: [string, string] = [write(digits, value), write(digits, limit)];
  return texts[0] === texts[1] && value !== limit && digits < 12 ? distinctly(write, value, limit, digits + 1) : texts;
}

/** With its sign; what rounds to nothing is +0. */
function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return `+${text.replace('-', '')}`;
  return value > 0 ? `+${text}` : text;
}
