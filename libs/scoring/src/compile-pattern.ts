import { RE2JS } from 're2js';

/** A user's regular expression, compiled. */
export interface Pattern {
  readonly kind: 'pattern';
  /** Groups 1…n; group 0 is the whole match. */
  readonly groups: number;
  readonly names: ReadonlySet<string>;
  /** Whether `text` is short enough to be searched `times` times for this pattern: see {@link MAX_STEPS}. */
  affords(text: string, times?: number): boolean;
  matches(text: string): boolean;
  /** The text of `group` in the first match: undefined without a match, null when the group took no part in it. */
  capture(text: string, group: number | string): string | null | undefined;
  /** The first `limit` matches, from left to right, without overlaps. */
  findMatches(text: string, limit: number): readonly PatternMatch[];
}

export interface PatternMatch {
  /** Index in the text behind the match. */
  readonly end: number;
  /** The first group that took part in the match; null when none did. */
  readonly captured: { readonly text: string; readonly end: number } | null;
}

export interface BadPattern {
  readonly kind: 'bad_pattern';
  /** What is wrong, in the engine's words. */
  readonly message: string;
}

const MAX_PATTERN_LENGTH = 4096;

/**
 * Steps of a compiled pattern. The engine allows 600,000 and a second to build them, for each pattern of a suite, while nobody
 * else is served; so many take 0.1 s, and could search answers of 2,500 characters.
 */
const MAX_PROGRAM_SIZE = 20_000;

/**
 * The engine takes at most characters × program size steps of about 20 ns (measured), so this is about one second. It is
 * reached only by patterns such as `[a-z]{1,500}` on answers of 50,000 characters and more.
 */
const MAX_STEPS = 5e7;

/**
 * Compiles `source` in RE2 syntax: no look-around, no back-references, and in return time linear in the text, so that no
 * pattern of a suite can hang a worker (`(a+)+$` cannot explode). Nesting and repeats are bounded by the engine.
 */
export function compilePattern(source: string, caseSensitive: boolean): Pattern | BadPattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    return { kind: 'bad_pattern', message: `has ${source.length} characters; the limit is ${MAX_PATTERN_LENGTH}` };
  }
  let engine: RE2JS;
  try {
    engine = RE2JS.compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    return { kind: 'bad_pattern', message: error instanceof Error ? error.message : String(error) };
  }
  const size = engine.programSize();
  if (size > MAX_PROGRAM_SIZE) {
    return { kind: 'bad_pattern', message: `compiles to ${size} steps; the limit is ${MAX_PROGRAM_SIZE}` };
  }
  return {
    kind: 'pattern',
    groups: engine.groupCount(),
    names: new Set(Object.keys(engine.namedGroups())),
    affords: (text, times = 1) => text.length * size * times <= MAX_STEPS,
    matches: (text) => engine.test(text),
    capture: (text, group) => {
      // `test` runs a DFA, several times faster than the matcher, which only matched answers need.
      if (!engine.test(text)) return undefined;
      const matcher = engine.matcher(text);
      return matcher.find() ? matcher.group(group) : undefined;
    },
    findMatches: (text, limit) => {
      const found: PatternMatch[] = [];
      const matcher = engine.matcher(text);
      while (found.length < limit && matcher.find()) found.push({ end: matcher.end(), captured: firstGroup(matcher, engine.groupCount()) });
      return found;
    },
  };
}

function firstGroup(matcher: ReturnType<RE2JS['matcher']>, groups: number): PatternMatch['captured'] {
  for (let group = 1; group <= groups; group += 1) {
    const text = matcher.group(group);
    if (text !== null) return { text, end: matcher.end(group) };
  }
  return null;
}
