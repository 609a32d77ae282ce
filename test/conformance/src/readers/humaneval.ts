import { z } from 'zod';
import { type KnownAnswer, suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

const Row = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});
type Row = z.infer<typeof Row>;

const FILE = 'humaneval.jsonl';

function fenced(code: string): string {
  return `\`\`\`python\n${code}\n\`\`\``;
}

function question({ prompt }: Row): string {
  return `Complete this function. Answer with the whole function.\n\n${fenced(prompt)}`;
}

function canonical({ prompt, canonical_solution: solution }: Row): KnownAnswer {
  return { name: 'canonical solution', text: fenced(prompt + solution), expected: 'pass' };
}

function stub({ entry_point: name }: Row): KnownAnswer {
  return { name: 'stub', text: fenced(`def ${name}(*args, **kwargs):\n    return None`), expected: 'wrong' };
}

const DOUBLE_QUOTES = 'the docstring expects double quotes, and Python prints single ones';
const NO_OUTPUT = 'the docstring compares with == and expects no output, and Python prints True or False';

/** The examples in the docstrings, as the prompts show them. */
export const humanEvalDoctests = suiteDataSet({
  name: 'humaneval_doctests',
  file: FILE,
  row: Row,
  runsCode: true,
  scorer: { kind: 'python_doctest', timeout_seconds: 20 },
  read: (row) =>
    row.prompt.includes('>>>')
      ? [{ example: { id: row.task_id, messages: ask(question(row)) }, answers: [canonical(row), stub(row)] }]
      : { leftOut: 'the docstring has no example; humaneval_tests runs the tests of every row' },
  exceptions: {
    'HumanEval/47': 'the docstring expects 15.0; the median of its list is 8.0',
    'HumanEval/51': 'the docstring is no doctest: a text in it runs over two lines',
    'HumanEval/65': DOUBLE_QUOTES,
    'HumanEval/108': NO_OUTPUT,
    'HumanEval/113': DOUBLE_QUOTES,
    'HumanEval/116': NO_OUTPUT,
    'HumanEval/128': NO_OUTPUT,
    'HumanEval/145': NO_OUTPUT,
    'HumanEval/156': NO_OUTPUT,
    'HumanEval/162': NO_OUTPUT,
  },
});

/** Runs the benchmark's own tests over the answer's code. */
const SCORE = String.raw`
import re


def score(final_message, reference_data):
    block = re.search(r"\x60{3}(?:python)?\n(.*?)\x60{3}", final_message, re.S)
    scope = {"__name__": "answer"}
    try:
        exec((block.group(1) if block else final_message) + "\n" + reference_data["test"], scope)
        scope["check"](scope[reference_data["entry_point"]])
    except Exception:
        return {"tests": 0.0}
    return {"tests": 1.0}
`;

/** The benchmark's own tests, as code of the suite. */
export const humanEvalTests = suiteDataSet({
  name: 'humaneval_tests',
  file: FILE,
  row: Row,
  runsCode: true,
  scorer: {
    kind: 'code_eval',
    code: SCORE,
    scores: [{ key: 'tests', type: 'pass_fail' }],
    reference_keys: ['test', 'entry_point'],
    timeout_seconds: 20,
  },
  read: (row) => [
    {
      example: { id: row.task_id, messages: ask(question(row)), reference: { test: row.test, entry_point: row.entry_point } },
      answers: [canonical(row), stub(row)],
    },
  ],
});
