import { type JsonObject, type ScorerOf } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { executedScore } from '../executed-score.js';
import { failed, passed, unscorable } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { acceptExample } from '../scorer-refusal.js';
import { type ScoringInput } from '../scoring-input.js';
import { type ConfinedRun, runFailure, withConfinement } from './confined-run.js';
import { expectVariable } from './expect-variable.js';

type BashScorer = ScorerOf<'bash'>;

/** Linux takes no variable of more than 128 KiB. */
const MAX_VARIABLE_BYTES = 120 * 1024;

/**
 * Read by bash before the script, because of BASH_ENV: the path of the answer, and an answer that is too long for the environment
 * as a variable of the script alone.
 */
const PRELUDE = [
  'unset BASH_ENV',
  'export EVAL_OUTPUT_FILE="$PWD/answer.txt"',
  // The x keeps the line ends that a substitution would drop.
  'if [ -z "${EVAL_OUTPUT+set}" ]; then EVAL_OUTPUT=$(cat answer.txt; printf x); EVAL_OUTPUT=${EVAL_OUTPUT%x}; fi 2>/dev/null',
  '',
].join('\n');

/**
 * Runs the suite's script over the answer (contracts.md §5.2): exit 0 passes, exit 1 fails, anything else is an `error`, as is a timeout.
 * The answer is in EVAL_OUTPUT and in the file EVAL_OUTPUT_FILE, the reference's scalars in EVAL_EXPECT_<KEY>.
 */
export function compileBash({ script, timeout_ms }: BashScorer, ports: ScorerPorts): ExecutedScorer {
  return async (input, signal) => {
    const files = { 'grade.sh': script, 'prelude.sh': PRELUDE, 'answer.txt': input.text };
    const env = { BASH_ENV: './prelude.sh', ...answerVariable(input), ...idVariables(input), ...expectVariables(input) };
    const result = await ports.runConfined({ argv: ['bash', 'grade.sh'], files, stdin: '', env, timeoutMs: timeout_ms }, signal);
    const failure = runFailure(result);
    if (failure !== null) return executedScore(failure);
    const run = result as ConfinedRun;
    const output = excerpt(run.stdout.trim() || run.stderr.trim());
    const said = withConfinement(run, output === '' ? {} : { output });
    if (run.outputLimit) return executedScore(unscorable('output_limit', said));
    if (run.exitCode === 0) return executedScore(passed(said));
    if (run.exitCode === 1) return executedScore(failed(said));
    return executedScore(unscorable('script_failed', { ...said, exit_code: run.exitCode }));
  };
}

/** Any example can be graded; a script that cannot is its author's to find. */
export function checkBash(): ScorerCheck {
  return acceptExample;
}

function answerVariable({ text }: ScoringInput): Record<string, string> {
  // No byte of UTF-8 takes part in two characters, and none takes more than three for a UTF-16 unit.
  const fits = text.length * 3 < MAX_VARIABLE_BYTES || new TextEncoder().encode(text).length < MAX_VARIABLE_BYTES;
  return fits ? { EVAL_OUTPUT: withoutNul(text) } : {};
}

function idVariables({ ids }: ScoringInput): Record<string, string> {
  return ids === undefined ? {} : { EVAL_CASE_ID: ids.caseId, EVAL_RUN_ID: ids.runId };
}

/** Scalars of the reference. Of two keys with one name the first counts. */
function expectVariables({ reference }: ScoringInput): Record<string, string> {
  const variables = new Map<string, string>();
  for (const [key, value] of Object.entries(reference ?? ({} satisfies JsonObject))) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const name = expectVariable(key);
    if (!variables.has(name)) variables.set(name, withoutNul(String(value)));
  }
  return Object.fromEntries(variables);
}

/** As bash itself does: its variables hold no NUL. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
