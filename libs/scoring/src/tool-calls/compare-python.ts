import { codeTokens, jaccard } from '../code/compare-code.js';
import { meanOfBestPairs } from './mean-of-best-pairs.js';

const EFFECT_WEIGHT = 0.75;
const SAME_BASENAME = 0.8;
const MAX_EFFECTS = 16;

/** Calls that run something: `subprocess.run(…)`, `os.system(…)`, `exec(open(…)`, `runpy.run_path(…)`. */
const RUNS =
  /\b(?:subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?)|runpy\.run_path|exec\(\s*open)\s*\(\s*/g;
const TEXT = /[rfb]{0,2}(?:"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})')/y;

/**
 * How alike two Python programs are: by the shell commands and files that they run, where one runs any, and by their tokens.
 *
 * @param compareCommands grades one shell command against another, from 0 to 1
 */
export function comparePython(predicted: string, target: string, compareCommands: (predicted: string, target: string) => number): number {
  if (predicted.trim() === target.trim()) return 1;
  const base = jaccard(codeTokens(predicted), codeTokens(target));
  const wanted = effectsOf(target);
  const found = effectsOf(predicted);
  if (wanted.length === 0 && found.length === 0) return base;
  return EFFECT_WEIGHT * meanOfBestPairs(found, wanted, (a, b) => compareEffect(a, b, compareCommands)) + (1 - EFFECT_WEIGHT) * base;
}

function compareEffect(predicted: string, target: string, compareCommands: (a: string, b: string) => number): number {
  if (predicted === target) return 1;
  if (!isPath(predicted) || !isPath(target)) return compareCommands(predicted, target);
  return basename(predicted) === basename(target) ? SAME_BASENAME : 0;
}

/** The commands and paths that a program runs, in order. */
function effectsOf(code: string): string[] {
  const effects: string[] = [];
  for (const run of code.matchAll(RUNS)) {
    if (effects.length === MAX_EFFECTS) break;
    const effect = readEffect(code, run.index + run[0].length);
    if (effect !== '') effects.push(effect);
  }
  return effects;
}

/** The first argument: a string, or a list of strings, which is one command in words. */
function readEffect(code: string, start: number): string {
  const isList = code[start] === '[' || code[start] === '(';
  const words: string[] = [];
  for (let at = isList ? start + 1 : start; words.length < 64;) {
    at += /[\s,]*/.exec(code.slice(at, at + 100))?.[0].length ?? 0;
    TEXT.lastIndex = at;
    const text = TEXT.exec(code);
    if (!text) break;
    words.push(text[1] ?? text[2] ?? '');
    at += text[0].length;
    if (!isList) break;
  }
  return words.join(' ');
}

function isPath(text: string): boolean {
  return /^[^\s]*[/.][^\s]*$/.test(text);
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
