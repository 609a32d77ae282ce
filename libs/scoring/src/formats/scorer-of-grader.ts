import {
  formatPath,
  type GradedExpectation,
  GRADER_EXPECTATIONS,
  type JsonObject,
  type JsonValue,
  parseWith,
  Scorer,
} from '@kiln/contracts';
import { expectVariable } from '../code-runners/expect-variable.js';
import { scorerRefusal } from '../scorer-refusal.js';

/**
 * The scorer that a case file's grader with the `expect` of a case (contracts.md §5.2) stands for.
 *
 * @param at where grader and expect stand, for refusals; empty = they are the whole
 * @throws KilnError naming the bad field of `expect`
 */
export function scorerOfGrader(graded: GradedExpectation, at: readonly PropertyKey[] = []): Scorer {
  return parseWith(Scorer, written(graded, [...at, 'expect']), 'expectation', { at: [...at, 'expect'] });
}

function written({ grader, expect }: GradedExpectation, at: readonly PropertyKey[]): object {
  const options = { at: [...at] };
  switch (grader.type) {
    case 'exact':
      return { kind: 'exact_match', expected_value: parseWith(GRADER_EXPECTATIONS.exact, expect, 'expectation', options).text };
    case 'contains':
      return { kind: 'contains', phrases: parseWith(GRADER_EXPECTATIONS.contains, expect, 'expectation', options).strings, mode: 'all' };
    case 'regex':
      return patternOf(parseWith(GRADER_EXPECTATIONS.regex, expect, 'expectation', options));
    case 'json_schema':
      return { kind: 'json_schema', schema: parseWith(GRADER_EXPECTATIONS.json_schema, expect, 'expectation', options).schema };
    case 'bash': {
      const { script, ...others } = parseWith(GRADER_EXPECTATIONS.bash, expect, 'expectation', options);
      return { kind: 'bash', script: withExpectations(script, others, at), timeout_ms: grader.timeout_ms };
    }
    case 'judge':
      return {
        kind: 'judge',
        claims: parseWith(GRADER_EXPECTATIONS.judge, expect, 'expectation', options).claims,
        judge_model: grader.model,
        grader_reps: grader.grader_reps,
      };
  }
}

/** RE2 has JavaScript's `m` and `s` under the same names; `i` is the scorer's own setting. */
function patternOf({ pattern, flags }: { pattern: string; flags: string }): object {
  const inline = ['m', 's'].filter((flag) => flags.includes(flag)).join('');
  return {
    kind: 'pattern_match',
    pattern: inline === '' ? pattern : `(?${inline})${pattern}`,
    case_sensitive: !flags.includes('i'),
  };
}

/**
 * The script with the scalars of `expect` as EVAL_EXPECT_<KEY>. They go into the script itself, because the stored traces that
 * it grades belong to examples with other references, or with none.
 */
function withExpectations(script: string, expected: JsonObject, at: readonly PropertyKey[]): string {
  const variables = new Map<string, string>();
  for (const [key, value] of Object.entries(expected)) {
    const name = expectVariable(key);
    if (!isScalar(value)) continue;
    if (variables.has(name)) throw scorerRefusal(formatPath([...at, key]), `becomes ${name}, as another key does`, 'Rename one of them.');
    variables.set(name, `export ${name}='${String(value).replaceAll("'", `'\\''`)}'\n`);
  }
  return [...variables.values(), script].join('');
}

function isScalar(value: JsonValue): boolean {
  return value !== null && typeof value !== 'object';
}
