import { type JsonObject, type Score, type ScorerOf } from '@kiln/contracts';
import { codeLanguage } from '../code/code-language.js';
import { readFences } from '../code/read-fences.js';
import { excerpt } from '../excerpt.js';
import { executedScore } from '../executed-score.js';
import { lastQuestion } from '../last-question.js';
import { failed, invalid, passed, unscorable } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { acceptExample } from '../scorer-refusal.js';
import { isExpectedOutput } from './check-doctest-output.js';
import { type ConfinedRun, readReport, runFailure, withConfinement } from './confined-run.js';
import { DoctestReader } from './doctest-reader.js';
import { type DoctestExample, type DoctestOutput } from './doctest-reading.js';
import { RUN_DOCTESTS_PROGRAM } from './run-doctests-program.js';

type PythonDoctestScorer = ScorerOf<'python_doctest'>;

const PYTHON = new Set(['python', 'python3', 'py3']);

/**
 * Runs the doctests of the last user message against the answer's code. Passes when all come out; the score is their share.
 * No tests, or no code in the answer: `invalid`. A timeout, a run that could not start or was killed: `error`.
 *
 * Two runs, because the code that is measured can change every part of a process that it runs in: one in which only the suite's
 * text is read gives the examples; the other runs code and examples and has nothing that says what is expected. The two are
 * compared here.
 */
export function compilePythonDoctest({ timeout_seconds }: PythonDoctestScorer, ports: ScorerPorts): ExecutedScorer {
  const reader = new DoctestReader(ports);
  return async (input, signal) => {
    const reading = await reader.read(lastQuestion(input), signal);
    if (!reading.ok) return executedScore(reading.score);
    const { tests, context, code } = reading.doctests;
    if (tests.length === 0) return executedScore(invalid('no_tests'));
    const blocks = pythonBlocks(input.text);
    if (blocks === null) return executedScore(invalid('no_code'));
    const token = ports.randomToken();
    const sources = tests.map((test) => test.map(({ source }) => source));
    const request = { token, blocks, bare: input.text, context, code, tests: sources };
    const result = await ports.runConfined(
      {
        argv: ['python3', '-I', '-S', 'run.py'],
        files: { 'run.py': RUN_DOCTESTS_PROGRAM },
        stdin: JSON.stringify(request),
        env: {},
        timeoutMs: timeout_seconds * 1000,
      },
      signal,
    );
    return executedScore(runFailure(result) ?? grade(result as ConfinedRun, token, tests));
  };
}

/** Whether an answer holds code is known when it is there; any message may hold tests. */
export function checkPythonDoctest(): ScorerCheck {
  return acceptExample;
}

/** Fenced blocks in Python, or without a language where none says Python; empty without fences, null when all are in other languages. */
function pythonBlocks(text: string): string[] | null {
  const fences = readFences(text).filter(({ code }) => code.trim() !== '');
  if (fences.length === 0) return [];
  const python = fences.filter(({ language }) => PYTHON.has(codeLanguage(language)));
  const blocks = python.length > 0 ? python : fences.filter(({ language }) => codeLanguage(language) === '');
  return blocks.length > 0 ? blocks.map(({ code }) => code) : null;
}

function grade(run: ConfinedRun, token: string, tests: readonly (readonly DoctestExample[])[]): Score {
  const [found, ...reports] = readReport(run, token);
  // The harness begins before the answer's code does, so that without a word from it nothing was measured: unless the code is such
  // that Python itself breaks over it.
  if (found === undefined && (run.exitCode ?? 0) > 128) return failed(withConfinement(run, { reason: 'code_crashed' }));
  if (found === undefined) return unscorable('harness_failed', withConfinement(run, { message: excerpt(run.stderr.trim()) }));
  if (found['code'] === 'none') return invalid('no_code', withConfinement(run));
  const examples = tests.flatMap((test, at) => test.map((example, number) => ({ example, at, number })));
  let right = 0;
  let firstWrong: JsonObject | null = null;
  // In order and each once, as the harness writes them: whatever else the code may write does not count.
  for (const [index, { example, at, number }] of examples.entries()) {
    const output = readOutput(reports[index], at, number);
    if (output !== null && isExpectedOutput(example, output)) right += 1;
    else firstWrong ??= wrongExample(example, output);
  }
  const complete = reports.length === examples.length + 1 && reports.at(-1)?.['done'] === true;
  const counts = { passed: right, total: examples.length };
  if (complete && right === examples.length) return passed(withConfinement(run, counts));
  const raised = reports[0]?.['raised'];
  const cause =
    reports.length === 1 && typeof raised === 'string'
      ? { reason: 'code_raised', raised: excerpt(raised.trim()) }
      : complete
        ? { reason: 'example_failed', ...firstWrong }
        : { reason: run.outputLimit ? 'output_limit' : 'ended_early' };
  return failed(withConfinement(run, { ...counts, ...cause }), complete ? right / examples.length : 0);
}

function readOutput(report: JsonObject | undefined, at: number, number: number): DoctestOutput | null {
  if (report === undefined) return null;
  const { at: place, output, raised } = report;
  if (!Array.isArray(place) || place[0] !== at || place[1] !== number || typeof output !== 'string') return null;
  return { output, raised: typeof raised === 'string' ? raised : null };
}

function wrongExample({ source, want, exception }: DoctestExample, output: DoctestOutput | null): JsonObject {
  const got = output === null ? null : (output.raised ?? output.output);
  return { example: excerpt(source.trim()), expected: excerpt((exception ?? want).trim()), got: got === null ? null : excerpt(got.trim()) };
}
