import { type Score, type ToolCallScorer } from '@kiln/contracts';
import { foldCase } from '../fold-case.js';
import { type ScoringInput } from '../scoring-input.js';
import { type ArgumentComparison, type ArgumentQuestion, compareArguments } from './argument-comparison.js';
import { type ToolCall } from './tool-call.js';

/** What a pair of calls came to. */
export interface CallScore {
  readonly name: 0 | 1;
  readonly structure: number;
  readonly content: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export interface CallsScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly isPass: boolean;
  /** One for each target call. */
  readonly calls: readonly CallScore[];
}

export interface CallsComparison {
  readonly questions: readonly ArgumentQuestion[];
  finish(answers: readonly Score[]): CallsScore;
}

const PASS_SCORE = 0.8;
const EXCESS_PENALTY = 0.25;
/** Sums of weights such as 0.4 + 0.3 + 0.1 are a bit away from what they mean. */
const ROUNDING = 1e-9;
const MISSING: CallScore = { name: 0, structure: 0, content: 0, missing: [], extra: [] };

/**
 * Compares calls with a target's, pair by pair in order (contracts.md §1.8): the mean over the target's calls of weighted name,
 * structure and content, less 0.25 ÷ target calls for each call too many. Passes when every name is right and the score is at
 * least 0.8. A target without calls wants none.
 */
export function compareCalls(
  { name_match, args, weights }: ToolCallScorer,
  predicted: readonly ToolCall[],
  target: readonly ToolCall[],
  input: ScoringInput,
): CallsComparison {
  const pairs = target.map((wanted, position) => {
    const call = predicted[position];
    if (!call) return null;
    return {
      name: namesMatch(name_match, call.name, wanted.name) ? (1 as const) : (0 as const),
      comparison: compareArguments(args, call.arguments, wanted.arguments, input),
    };
  });
  const total = weights.name + weights.structure + weights.content;
  const weighted = ({ name, structure, content }: CallScore): number =>
    (weights.name * name + weights.structure * structure + weights.content * content) / total;
  return {
    questions: pairs.flatMap((pair) => pair?.comparison.questions ?? []),
    finish: (answers) => {
      let asked = 0;
      const take = ({ questions }: ArgumentComparison): readonly Score[] => answers.slice(asked, (asked += questions.length));
      const calls = pairs.map((pair): CallScore => {
        if (!pair) return MISSING;
        const { structure, missing, extra } = pair.comparison;
        return { name: pair.name, structure, content: pair.comparison.content(take(pair.comparison)), missing, extra };
      });
      if (target.length === 0) return { score: predicted.length === 0 ? 1 : 0, isPass: predicted.length === 0, calls };
      const excess = Math.max(0, predicted.length - target.length);
      const mean = (calls.reduce((sum, call) => sum + weighted(call), 0) - EXCESS_PENALTY * excess) / target.length;
      const score = Math.min(1, Math.max(0, mean));
      return { score, isPass: calls.every(({ name }) => name === 1) && score >= PASS_SCORE - ROUNDING, calls };
    },
  };
}

function namesMatch(match: ToolCallScorer['name_match'], predicted: string, target: string): boolean {
  if (match.kind === 'one_of') return match.allowed.includes(predicted);
  return match.kind === 'exact' ? predicted === target : foldCase(predicted) === foldCase(target);
}
