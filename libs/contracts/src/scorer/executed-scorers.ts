import { z } from 'zod';
import { Text } from '../scalars/text.js';

/** Runs the doctests of the last user message against the answer's code, in a sandbox. */
export const PythonDoctestScorer = z
  .object({ kind: z.literal('python_doctest'), timeout_seconds: z.number().min(0.1).max(3600).default(5) })
  .meta({ id: 'PythonDoctestScorer' });

/** Values that a code scorer may give to a score: five_star 1–5, pass_fail 0–1, pass_fail_critical −1–1. */
export const ScoreType = z.enum(['five_star', 'pass_fail', 'pass_fail_critical']).meta({ id: 'ScoreType' });
export type ScoreType = z.infer<typeof ScoreType>;

export const DeclaredScore = z.object({ key: Text.min(1).max(200), type: ScoreType }).meta({ id: 'DeclaredScore' });
export type DeclaredScore = z.infer<typeof DeclaredScore>;

/** Most bytes of a code scorer's program. */
export const MAX_CODE_BYTES = 64 * 1024;

/** `def score(…)` or `score = …` at the start of a line. Python is not read here, but this can be seen. */
const DEFINES_SCORE = /^(?:async[ \t]+)?def[ \t]+score[ \t]*\(|^score[ \t]*=/m;

/** Runs the suite's own Python function `score()` over the answer, in a sandbox. It returns a value for each declared score. */
export const CodeEvalScorer = z
  .object({
    kind: z.literal('code_eval'),
    code: Text.min(1)
      .refine((code) => new TextEncoder().encode(code).length <= MAX_CODE_BYTES, `must have at most ${MAX_CODE_BYTES} bytes`)
      .refine((code) => DEFINES_SCORE.test(code), 'must define score(); write "def score(final_message):" that returns a dict of numbers'),
    scores: z
      .array(DeclaredScore)
      .min(1)
      .max(32)
      .refine((scores) => new Set(scores.map(({ key }) => key)).size === scores.length, 'has a key twice; remove one')
      .default(() => [{ key: 'score', type: 'pass_fail' as const }]),
    reference_keys: z.array(Text.min(1)).default(() => []),
    timeout_seconds: z.number().min(1).max(300).default(180),
    tool_allowlist: z
      .array(Text.min(1))
      .max(0, 'tools inside code scorers are not served; leave it empty')
      .default(() => []),
  })
  .meta({ id: 'CodeEvalScorer' });

/** Runs the suite's own shell script over the answer, in a sandbox: exit 0 passes, exit 1 fails, anything else is an error. */
export const BashScorer = z
  .object({
    kind: z.literal('bash'),
    script: Text.min(1).max(MAX_CODE_BYTES),
    timeout_ms: z.int().min(1).max(3_600_000).default(60_000),
  })
  .meta({ id: 'BashScorer', description: 'EVAL_EXPECT_<KEY> holds the scalar values of the example’s reference.' });
