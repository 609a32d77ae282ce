import { z } from 'zod';
import { BashScorer, CodeEvalScorer, PythonDoctestScorer } from './executed-scorers.js';
import { JudgeScorer, LlmJudgeScorer, PairwiseJudgeScorer } from './judge-scorers.js';
import { ScorerKind } from './scorer-kind.js';
import { CodeScorer, JsonSchemaScorer, JsonValidityScorer, NumericToleranceScorer } from './structure-scorers.js';
import { ContainsScorer, ExactMatchScorer, MultipleChoiceScorer, PatternMatchScorer, RegexScorer, SetCheckScorer } from './text-scorers.js';
import { type ToolCallScorerOf, toolCallScorer } from './tool-call-scorer.js';
import { StepCountCheckScorer, ToolCallCheckScorer } from './trace-scorers.js';

/** A scorer object as parsed: every default filled. */
export type Scorer =
  | z.output<typeof ExactMatchScorer>
  | z.output<typeof ContainsScorer>
  | z.output<typeof RegexScorer>
  | z.output<typeof PatternMatchScorer>
  | z.output<typeof JsonValidityScorer>
  | z.output<typeof JsonSchemaScorer>
  | z.output<typeof MultipleChoiceScorer>
  | z.output<typeof NumericToleranceScorer>
  | z.output<typeof SetCheckScorer>
  | ToolCallScorer
  | z.output<typeof ToolCallCheckScorer>
  | z.output<typeof StepCountCheckScorer>
  | z.output<typeof CodeScorer>
  | z.output<typeof PythonDoctestScorer>
  | z.output<typeof CodeEvalScorer>
  | z.output<typeof BashScorer>
  | z.output<typeof LlmJudgeScorer>
  | z.output<typeof JudgeScorer>
  | z.output<typeof PairwiseJudgeScorer>
  | AllScorer
  | AnyScorer;
export interface ToolCallScorer extends ToolCallScorerOf<Scorer> {}
/** Mean score; passes when every child passes. */
export interface AllScorer {
  kind: 'all';
  scorers: Scorer[];
}
/** Best score; passes when one child does. */
export interface AnyScorer {
  kind: 'any';
  scorers: Scorer[];
}

/** The scorer object of one kind: `ScorerOf<'contains'>`. */
export type ScorerOf<K extends ScorerKind> = Extract<Scorer, { kind: K }>;

/** Composites inside composites; hashing and compiling recurse, and nobody needs more. */
export const MAX_SCORER_DEPTH = 16;

const nested: z.ZodType<Scorer> = z.lazy(() => Scorer);
const children = z.array(nested).meta({ description: 'None: every answer is `invalid`.' });

/** How an answer is graded. An unknown kind is refused with the list of known ones. */
export const Scorer: z.ZodType<Scorer> = z
  .discriminatedUnion(
    'kind',
    [
      ExactMatchScorer,
      ContainsScorer,
      RegexScorer,
      PatternMatchScorer,
      JsonValidityScorer,
      JsonSchemaScorer,
      MultipleChoiceScorer,
      NumericToleranceScorer,
      SetCheckScorer,
      toolCallScorer(nested),
      ToolCallCheckScorer,
      StepCountCheckScorer,
      CodeScorer,
      PythonDoctestScorer,
      CodeEvalScorer,
      BashScorer,
      LlmJudgeScorer,
      JudgeScorer,
      PairwiseJudgeScorer,
      z.object({ kind: z.literal('all'), scorers: children }).meta({ id: 'AllScorer' }),
      z.object({ kind: z.literal('any'), scorers: children }).meta({ id: 'AnyScorer' }),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? unknownKind(issue.input) : undefined) },
  )
  .check(({ value, issues }) => {
    if (nestsDeeperThan(MAX_SCORER_DEPTH, value)) {
      issues.push({ code: 'custom', input: value.kind, message: `nests scorers more than ${MAX_SCORER_DEPTH} deep; flatten it` });
    }
  })
  .meta({ id: 'Scorer' });

function unknownKind(input: unknown): string {
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
  const found = kind === undefined ? 'the scorer has no kind' : `unknown scorer kind ${JSON.stringify(kind)}`;
  return `${found}; known kinds: ${ScorerKind.options.join(', ')}`;
}

/** The scorers that `scorer` hands parts of its work to. */
export function childScorers(scorer: Scorer): Scorer[] {
  if (scorer.kind === 'all' || scorer.kind === 'any') return scorer.scorers;
  if (scorer.kind === 'tool_call' && scorer.args.kind === 'per_key') return Object.values(scorer.args.scorers);
  return [];
}

function nestsDeeperThan(limit: number, scorer: Scorer): boolean {
  let level = [scorer];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap(childScorers);
  }
  return false;
}
