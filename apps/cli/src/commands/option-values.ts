import { parseU64, parseUsd } from '@kiln/contracts';
import { InvalidArgumentError } from 'commander';

/** Readers of option values: each answers the value or says what would be right. */

export function seedOption(text: string): string {
  const seed = parseU64(text);
  if (seed === null) throw new InvalidArgumentError('It must be a whole number from 0 to 18446744073709551615.');
  return seed.toString();
}

export function usdOption(text: string): string {
  const usd = parseUsd(text);
  if (usd === null) throw new InvalidArgumentError('It must be US dollars, such as 0.25.');
  return usd;
}

export function countOption(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
}

/** A position in a list, from 0. */
export function indexOption(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 for the first.');
  return Number(text);
}

/** How many a list may show at once. */
export function pageLimitOption(text: string): number {
  const value = countOption(text);
  if (value > 1000) throw new InvalidArgumentError('It must be at most 1000.');
  return value;
}

export function portOption(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535 (0 = any free one).');
  return value;
}

export function fractionOption(text: string): number {
  const value = numberOption(text);
  if (value < 0 || value > 1) throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.8.');
  return value;
}

/** By how much a gated number may rise. */
export function riseOption(text: string): number {
  const value = numberOption(text);
  if (value <= 0) throw new InvalidArgumentError('It must be a number above 0, such as 20.');
  return value;
}

/** As {@link riseOption}; `off` where costs are not gated, for instance because they are not known. */
export function costRiseOption(text: string): number | 'off' {
  return text === 'off' ? text : riseOption(text);
}

export function numberOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** Collects `key=value`; the value may hold further `=`. */
export function labelOption(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be key=value, such as git_sha=4f0c2d1.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects the values of an option that may be repeated. */
export function listOption(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
