import { isJsonObject } from '../json/is-json-object.js';
import { findJsonDocuments } from './find-json-documents.js';
import { type Reading, unreadable } from './reading.js';

/** Most characters of a reply that is looked at. */
const MAX_REPLY = 1_000_000;

/**
 * Which claims a judge says are met: `{"claims": [{"claim": "…", "met": true}, …]}`, every claim restated, in order, with a
 * boolean (contracts.md §5.2). Documents that are something else are passed over; two that are judgments and differ are none.
 *
 * @returns whether each claim is met, in order
 */
export function readClaims(claims: readonly string[], reply: string): Reading<readonly boolean[]> {
  if (reply.length > MAX_REPLY) return unreadable('reply_too_long');
  const lists = findJsonDocuments(reply).flatMap((document) => {
    const list = judgmentsIn(document);
    return list === null ? [] : [list];
  });
  const [first] = lists;
  if (first === undefined) return unreadable('no_judgment');
  const readings = lists.map((list) => readList(claims, list));
  const [reading = unreadable('no_judgment')] = readings;
  return readings.every((other) => JSON.stringify(other) === JSON.stringify(reading)) ? reading : unreadable('conflicting_judgments');
}

/** The list of judgments that a document is or holds; null when it is about something else. */
function judgmentsIn(document: unknown): readonly unknown[] | null {
  if (Array.isArray(document)) return document.some((item) => isJsonObject(item) && Object.hasOwn(item, 'met')) ? document : null;
  if (!isJsonObject(document) || !Object.hasOwn(document, 'claims')) return null;
  return Array.isArray(document['claims']) ? document['claims'] : null;
}

function readList(claims: readonly string[], list: readonly unknown[]): Reading<readonly boolean[]> {
  if (list.length !== claims.length) return unreadable('claims_not_restated');
  const met: boolean[] = [];
  for (const [index, item] of list.entries()) {
    if (!isJsonObject(item) || !Object.hasOwn(item, 'met') || typeof item['met'] !== 'boolean') return unreadable('bad_judgment');
    const restated = Object.hasOwn(item, 'claim') ? item['claim'] : null;
    if (typeof restated !== 'string' || !isSameClaim(claims[index] ?? '', restated)) return unreadable('claims_not_restated');
    met.push(item['met']);
  }
  return { kind: 'judgment', judgment: met };
}

/** Whether a claim was restated: case, spacing, quotes, emphasis, a number in front and a full stop do not matter. */
function isSameClaim(claim: string, restated: string): boolean {
  const wanted = normalise(claim);
  return normalise(restated) === wanted || normalise(restated.replace(/^\s*(?:claim\s{0,4})?\d{1,3}\s{0,4}[.):]\s*/i, '')) === wanted;
}

function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[\s\p{Cf}]+/gu, ' ')
    .replace(/^[\s"'*_]+/, '')
    .replace(/[\s"'*_.!?;]{1,32}$/, '');
}
