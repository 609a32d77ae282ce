/** Puts meaning into text on a terminal; plain text elsewhere. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  doubtful(text: string): string;
}

const sequence =
  (code: number, end: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[${end}m`;

const COLOURED: Style = {
  bold: sequence(1, 22),
  dim: sequence(2, 22),
  good: sequence(32, 39),
  bad: sequence(31, 39),
  doubtful: sequence(33, 39),
};

const same = (text: string): string => text;
export const PLAIN: Style = { bold: same, dim: same, good: same, bad: same, doubtful: same };

/** Colours only on a terminal that wants them: see https://no-color.org. */
export function chooseStyle(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const unwanted = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const forced = (env['FORCE_COLOR'] ?? '') !== '' && env['FORCE_COLOR'] !== '0';
  return forced || (isTerminal && !unwanted) ? COLOURED : PLAIN;
}
