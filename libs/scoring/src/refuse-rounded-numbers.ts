import { scorerRefusal } from './scorer-refusal.js';

/**
 * Refuses numbers of a suite that answers are compared with and that may not be what was written: its JSON or YAML is read in
 * 64-bit floats, where 2^53 + 1 is 2^53. Recursive: what a suite may nest bounds the depth.
 *
 * @throws KilnError naming the number below `path`
 */
export function refuseRoundedNumbers(value: unknown, path: string, hint: string): void {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw scorerRefusal(path, `is ${value}: numbers of 2^53 and more are rounded when a suite is read`, hint);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    refuseRoundedNumbers(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, hint);
  }
}
