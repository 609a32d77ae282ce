import { type MutantKind } from '@kiln/contracts';
import { parseDecimal } from '../numbers/decimal.js';
import { differentNumbers } from './number-mutants.js';

export interface JsonMutants {
  /** The same object with its keys in reverse order; null for anything that has no order of keys. */
  readonly reordered: string | null;
  readonly changed: readonly { readonly kind: MutantKind; readonly text: string }[];
}

/** Deeper values are rare, and writing them out recurses. */
const MAX_DEPTH = 200;

/** JSON that says something else than `value`: a leaf changed, a member dropped or added. */
export function changeJson(value: unknown): JsonMutants {
  const leaf = findLeaf(value);
  if (leaf === null) return { reordered: null, changed: [] };
  const replaced = (kind: MutantKind, by: unknown): JsonMutants['changed'] => [
    { kind, text: JSON.stringify(replaceAt(value, leaf.path, by)) },
  ];
  return {
    reordered: reorder(value),
    changed: [
      ...('value' in leaf ? replaced('changed_value', otherLeaf(leaf.value)) : []),
      ...('value' in leaf && typeof leaf.value === 'number' ? wrongNumbers(leaf.value).flatMap(({ kind, by }) => replaced(kind, by)) : []),
      ...members(value),
    ],
  };
}

type Path = readonly (string | number)[];

/** The first leaf on the way down the first members; without a value when that way ends in an empty object or array. Null: too deep. */
function findLeaf(root: unknown): { path: Path; value: unknown } | { path: Path } | null {
  const path: (string | number)[] = [];
  let value = root;
  while (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) return null;
    const key = Array.isArray(value) ? 0 : Object.keys(value)[0];
    if (key === undefined || (Array.isArray(value) && value.length === 0)) return depthOf(root) > MAX_DEPTH ? null : { path };
    path.push(key);
    value = (value as Record<string | number, unknown>)[key];
  }
  return depthOf(root) > MAX_DEPTH ? null : { path, value };
}

function depthOf(root: unknown): number {
  let level: unknown[] = [root];
  let depth = 0;
  for (; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) break;
  }
  return depth;
}

/** A copy of `root` with `by` at `path`. Own members only: "__proto__" is a name like any other. */
function replaceAt(root: unknown, path: Path, by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(root)) return root.map((item: unknown, index) => (index === key ? replaceAt(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(root as object).map(([name, member]) => [name, name === key ? replaceAt(member, rest, by) : (member as unknown)]),
  );
}

function otherLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value === 31 ? 32 : 31;
  if (typeof value === 'string') return `${value}x`;
  return typeof value === 'boolean' ? !value : 0;
}

function wrongNumbers(value: number): { kind: MutantKind; by: number }[] {
  const decimal = parseDecimal(String(value));
  if (decimal === null) return [];
  return differentNumbers(decimal).map(({ kind, text }) => ({ kind, by: Number(text) }));
}

function members(value: unknown): { kind: MutantKind; text: string }[] {
  if (Array.isArray(value)) {
    const extra = { kind: 'extra_member' as const, text: JSON.stringify([...(value as unknown[]), 'extra']) };
    return value.length === 0 ? [extra] : [{ kind: 'dropped_member', text: JSON.stringify(value.slice(0, -1)) }, extra];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const extra = { kind: 'extra_member' as const, text: JSON.stringify(Object.fromEntries([...entries, ['extra_member', true]])) };
  return entries.length === 0 ? [extra] : [{ kind: 'dropped_member', text: JSON.stringify(Object.fromEntries(entries.slice(1))) }, extra];
}

function reorder(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length < 2) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(value).toReversed()));
}
