import { childScorers, type Scorer, type ScorerKind, type ScorerOf } from '@kiln/contracts';

const JUDGES = ['llm_judge', 'judge', 'pairwise_judge'] as const;
const CODE_RUNNERS = ['python_doctest', 'code_eval', 'bash'] as const;

/** Kinds that ask a judge or run code: they work in `score` shards of their own. */
export type ExecutedKind = (typeof JUDGES)[number] | (typeof CODE_RUNNERS)[number];
/** Kinds that only read the trace: pure and cheap enough to run beside its write. */
export type InlineKind = Exclude<ScorerKind, ExecutedKind>;

/** A judge is asked: its model must be known when a job is admitted. */
export function asksJudge(scorer: Scorer): boolean {
  return isJudge(scorer) || childScorers(scorer).some(asksJudge);
}

/** Code is run: a sandbox must be there. */
export function runsCode(scorer: Scorer): boolean {
  return isCodeRunner(scorer) || childScorers(scorer).some(runsCode);
}

/**
 * Whether the scorer is pure and cheap enough to run beside the write of the trace. Judges and scorers that execute code
 * need shards of their own; a composite is inline when all its children are.
 */
export function isInlineScorer(scorer: Scorer): boolean {
  return !asksJudge(scorer) && !runsCode(scorer);
}

/** Whether the scorer itself, children aside, asks a judge or runs code. */
export function isExecuted(scorer: Scorer): scorer is ScorerOf<ExecutedKind> {
  return isJudge(scorer) || isCodeRunner(scorer);
}

function isJudge({ kind }: Scorer): boolean {
  return (JUDGES as readonly ScorerKind[]).includes(kind);
}

function isCodeRunner({ kind }: Scorer): boolean {
  return (CODE_RUNNERS as readonly ScorerKind[]).includes(kind);
}
