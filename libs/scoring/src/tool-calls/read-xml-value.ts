import { type TagToken } from './tag-tokens.js';

export type XmlValueReading =
  /** `next`: the index of the token to go on with. `repaired`: its closing tag is missing. */
  | { readonly kind: 'value'; readonly text: string; readonly next: number; readonly repaired: boolean }
  /** It never ends, or another call begins inside. */
  | { readonly kind: 'cut_off'; readonly next: number };

export interface XmlValuePlace {
  readonly text: string;
  readonly tokens: readonly TagToken[];
  /** Index of the `<parameter=…>` whose value is read. */
  readonly opening: number;
  /** Names that the tool's schema lists; null when it is unknown. */
  readonly knownNames: ReadonlyMap<string, unknown> | null;
  /** Parameters that the call has already. */
  readonly seenNames: ReadonlyMap<string, unknown>;
}

/**
 * Finds where the value of a parameter ends. Values are raw text and may quote any tag, even whole calls, so a tag counts only
 * where it makes sense: a `</parameter>` must be followed by another tag of the call, a `<parameter=…>` that ends a value
 * whose closing tag is missing must be one that the tool has and the call has not, and a call in a value is skipped when it is
 * whole and the value goes on behind it. One line break is removed at each end: the rest is the value, indentation included.
 */
export function readXmlValue(place: XmlValuePlace): XmlValueReading {
  const { text, tokens, opening } = place;
  const { end: start } = tokens[opening]!;
  const isMultiline = /^\r?\n/.test(text.slice(start, start + 2));
  const value = (end: number, next: number, repaired: boolean): XmlValueReading => ({
    kind: 'value',
    text: text
      .slice(start, end)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, ''),
    next,
    repaired,
  });
  // A closing tag that is followed by text: it counts when no better one comes.
  let doubtful = -1;
  const atDoubtful = (): XmlValueReading => {
    const token = tokens[doubtful]!;
    return value(token.start, token.kind === 'parameter_close' ? doubtful + 1 : doubtful, true);
  };
  for (let index = opening + 1; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const following = followerOf(tokens, index);
    const isPlaced = token.isLineStart || !isMultiline;
    switch (token.kind) {
      case 'parameter_close':
        if (following !== 'text' && following !== 'parameter_close') return value(token.start, index + 1, false);
        if (doubtful < 0) doubtful = index;
        break;
      case 'parameter_open':
        if (isPlaced && token.isWhole && isNextParameter(place, index))
          return doubtful >= 0 ? atDoubtful() : value(token.start, index, true);
        // A quoted parameter with its own end: neither is ours.
        if (closesTwice(tokens, index)) index += 1;
        break;
      case 'function_open': {
        const behind = behindCalls(tokens, index);
        if (behind > index && tokens[behind]?.kind === 'parameter_close') {
          index = behind - 1;
        } else if (doubtful >= 0) {
          return atDoubtful();
        } else if (isPlaced || isTagged(tokens, index)) {
          return { kind: 'cut_off', next: isTagged(tokens, index) ? index - 1 : index };
        }
        break;
      }
      case 'function_close':
        if (following === 'call_close' || following === 'call_open' || following === 'function_open' || following === 'end') {
          return doubtful >= 0 ? atDoubtful() : value(token.start, index, true);
        }
        if (doubtful < 0) doubtful = index;
        break;
      case 'call_close':
        if (isPlaced && (following === 'call_open' || following === 'end'))
          return doubtful >= 0 ? atDoubtful() : value(token.start, index, true);
        break;
      case 'call_open':
        break;
    }
  }
  return doubtful >= 0 ? atDoubtful() : { kind: 'cut_off', next: tokens.length };
}

/** What stands directly behind a tag. */
function followerOf(tokens: readonly TagToken[], index: number): TagToken['kind'] | 'text' | 'end' {
  if (!tokens[index]!.isGapBlank) return 'text';
  return tokens[index + 1]?.kind ?? 'end';
}

function isNextParameter({ tokens, opening, knownNames, seenNames }: XmlValuePlace, index: number): boolean {
  const { name } = tokens[index]!;
  if (name === '' || name === tokens[opening]!.name || seenNames.has(name)) return false;
  return knownNames === null ? !closesTwice(tokens, index) : knownNames.has(name);
}

/** Whether two closing tags follow the opening one: the inner of two parameters looks so. */
function closesTwice(tokens: readonly TagToken[], index: number): boolean {
  return tokens[index + 1]?.kind === 'parameter_close' && tokens[index + 2]?.kind === 'parameter_close';
}

/** The token behind the whole calls that begin at `index`, one after the other. */
function behindCalls(tokens: readonly TagToken[], index: number): number {
  let behind = index;
  for (;;) {
    const opening = tokens[behind]?.kind === 'call_open' ? behind + 1 : behind;
    const close = tokens[opening]?.kind === 'function_open' ? tokens[opening]!.closedBy : -1;
    if (close < 0) return behind;
    behind = tokens[close + 1]?.kind === 'call_close' && tokens[close]!.isGapBlank ? close + 2 : close + 1;
  }
}

/** Whether `<tool_call>` stands directly before. */
function isTagged(tokens: readonly TagToken[], index: number): boolean {
  return tokens[index - 1]?.kind === 'call_open' && tokens[index - 1]!.isGapBlank;
}
