import { comparePython } from './compare-python.js';
import { meanOfBestPairs } from './mean-of-best-pairs.js';
import { readInvocations, type ShellInvocation } from './shell-invocation.js';
import { codeTokens, jaccard } from '../code/compare-code.js';

const DIFFERENT_PROGRAM = 0.1;
const DIFFERENT_ACTION = 0.35;
/** Longer scripts are compared by their tokens. */
const MAX_COMMANDS = 16;
/** Python may run a shell that runs Python. */
const MAX_DEPTH = 4;

/**
 * How alike two shell scripts are, from 0 to 1 (contracts.md §1.8): what they run counts, not how it is wrapped. Simple commands
 * are paired with their best partners, and each without one counts 0.
 */
export function compareCommands(predicted: string, target: string, depth = 0): number {
  if (predicted.trim() === target.trim()) return 1;
  if (isPython(predicted) && isPython(target)) return compareInline('python', predicted, target, depth);
  const found = readInvocations(predicted);
  const wanted = readInvocations(target);
  if (found.length === 0 || wanted.length === 0) return 0;
  if (found.length > MAX_COMMANDS || wanted.length > MAX_COMMANDS) return jaccard(codeTokens(predicted), codeTokens(target));
  return meanOfBestPairs(found, wanted, (candidate, command) => compareInvocations(candidate, command, depth));
}

function compareInvocations(predicted: ShellInvocation, target: ShellInvocation, depth: number): number {
  if (predicted.program !== target.program) return DIFFERENT_PROGRAM;
  if (predicted.inlineCode !== null && target.inlineCode !== null) {
    return compareInline(target.inlineCode.language, predicted.inlineCode.code, target.inlineCode.code, depth);
  }
  if (predicted.action !== target.action) return DIFFERENT_ACTION;
  const a = [...predicted.words.slice(1), ...predicted.heredocs];
  const b = [...target.words.slice(1), ...target.heredocs];
  if (a.length === b.length && a.every((word, index) => word === b[index])) return 1;
  // Never below what another action of the same program gets.
  return Math.max(DIFFERENT_ACTION, jaccard(tokens(predicted), tokens(target)));
}

function compareInline(language: string, predicted: string, target: string, depth: number): number {
  if (language === 'python') {
    return comparePython(predicted, target, (a, b) => (depth >= MAX_DEPTH ? (a === b ? 1 : 0) : compareCommands(a, b, depth + 1)));
  }
  return predicted.trim() === target.trim() ? 1 : jaccard(codeTokens(predicted), codeTokens(target));
}

/** The words, and the tokens of what here-documents hold. */
function tokens({ program, words, heredocs }: ShellInvocation): Set<string> {
  return new Set([program, ...words.slice(1), ...heredocs.flatMap((text) => [...codeTokens(text)])]);
}

const PYTHON_LINE =
  /^[ \t]*(?:import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|print\(|@\w|(?:for|with|while) [^\n]*:$|[A-Za-z_]\w* = )/m;

/** Whether a line of it is a statement of Python's: a tool's `code` may be a program rather than a command. */
function isPython(text: string): boolean {
  return PYTHON_LINE.test(text);
}
