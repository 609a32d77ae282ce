import { type DeclaredScore, type ExecutedScore, type JsonObject, type Score, type ScorerOf } from '@kiln/contracts';
import { answerTrace } from '../answer-trace.js';
import { excerpt } from '../excerpt.js';
import { executedScore } from '../executed-score.js';
import { referenceValue } from '../expected-values.js';
import { lastQuestion } from '../last-question.js';
import { meanOf } from '../mean-of.js';
import { skipped, unscorable } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { acceptExample } from '../scorer-refusal.js';
import { type ScoringInput } from '../scoring-input.js';
import { type ConfinedRun, readReport, runFailure, withConfinement } from './confined-run.js';
import { RUN_SCORE_PROGRAM } from './run-score-program.js';
import { normalScore, scoreRange } from './score-range.js';

type CodeEvalScorer = ScorerOf<'code_eval'>;

/** Passes from here on. */
const PASS_AT = 0.5;

/**
 * Runs the suite's Python function `score()` over the answer (contracts.md §4.3). It returns a number for each declared score; each
 * is brought to [0, 1] by its type, and their mean is the score. Whatever goes wrong, from an exception to a key too many, is an
 * `error`: the code is the suite's, not the model's. An example without a reference that the code needs is skipped.
 */
export function compileCodeEval(scorer: CodeEvalScorer, ports: ScorerPorts): ExecutedScorer {
  const { code, scores, reference_keys, timeout_seconds } = scorer;
  return async (input, signal) => {
    const missing = reference_keys.find((key) => referenceValue(input.reference, key) === null);
    if (missing !== undefined) return executedScore(skipped('missing_reference_key', { key: excerpt(missing) }));
    const token = ports.randomToken();
    const result = await ports.runConfined(
      {
        argv: ['python3', '-I', '-S', 'run.py'],
        files: { 'run.py': RUN_SCORE_PROGRAM },
        stdin: JSON.stringify({ token, code, values: valuesOf(input) }),
        env: {},
        timeoutMs: timeout_seconds * 1000,
      },
      signal,
    );
    const failure = runFailure(result);
    return failure === null ? readScores(result as ConfinedRun, token, scores) : executedScore(failure);
  };
}

/** The schema has looked for `score()`; a reference that is missing skips its example. */
export function checkCodeEval(): ScorerCheck {
  return acceptExample;
}

function valuesOf(input: ScoringInput): JsonObject {
  return {
    final_message: input.text,
    trace: answerTrace(input),
    reference_data: input.reference,
    task_input: lastQuestion(input),
  };
}

function readScores(run: ConfinedRun, token: string, declared: readonly DeclaredScore[]): ExecutedScore {
  const refuse = (reason: string, detail: JsonObject): ExecutedScore => executedScore(unscorable(reason, withConfinement(run, detail)));
  const [report] = readReport(run, token);
  if (report === undefined) return refuse(run.outputLimit ? 'output_limit' : 'harness_failed', { message: excerpt(run.stderr.trim()) });
  if (typeof report['failed'] === 'string')
    return refuse('code_failed', { message: excerpt(report['failed']), line: report['line'] ?? null });
  const returned = report['scores'] as [key: string, type: string, value: number | null][];
  const byKey = new Map(returned.map(([key, type, value]) => [key, { type, value }]));
  const missing = declared.filter(({ key }) => !byKey.has(key)).map(({ key }) => excerpt(key));
  const extra = returned.filter(([key]) => !declared.some((score) => score.key === key)).map(([key]) => excerpt(key));
  if (missing.length + extra.length > 0) return refuse('wrong_keys', { missing, extra: extra.slice(0, 10) });
  const raw: [string, number][] = [];
  for (const { key, type } of declared) {
    const { type: written, value } = byKey.get(key)!;
    const [least, most] = scoreRange(type);
    if (value === null || value < least || value > most)
      return refuse('bad_value', { key: excerpt(key), type: excerpt(written), value, least, most });
    raw.push([key, value]);
  }
  const normal = declared.map(({ type }, index) => normalScore(type, raw[index]![1]));
  const mean = meanOf(normal);
  const kind: Score['kind'] = mean >= PASS_AT ? 'pass' : 'fail';
  const detail = withConfinement(run, { scores: Object.fromEntries(raw) });
  return { kind, score: mean, detail, raw_value: raw[0]![1], usage: null };
}
