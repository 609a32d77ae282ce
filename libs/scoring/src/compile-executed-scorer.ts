import { type ExecutedScore, type Scorer } from '@kiln/contracts';
import { compileScorer } from './compile-scorer.js';
import { combinerOf } from './composite.js';
import { executedScore } from './executed-score.js';
import { executedDefinition } from './find-definition.js';
import { invalid } from './score-results.js';
import { type ExecutedScorer } from './scorer-definition.js';
import { isExecuted, isInlineScorer } from './scorer-kinds.js';
import { type ScorerPorts } from './scorer-ports.js';
import { sumJudgeUsage } from './sum-judge-usage.js';
import { planToolCall } from './tool-calls/plan-tool-call.js';
import { argumentScorers } from './tool-calls/tool-call-scorer.js';

/**
 * Compiles any scorer once for any number of answers, with what it needs to reach judges and sandboxes. Inline scorers work
 * too, so that a rescore need not tell them apart.
 */
export function compileExecutedScorer(scorer: Scorer, ports: ScorerPorts): ExecutedScorer {
  if (isInlineScorer(scorer)) {
    const score = compileScorer(scorer);
    return async (input) => executedScore(score(input));
  }
  if (isExecuted(scorer)) {
    const definition = executedDefinition(scorer);
    const score = definition.compile(scorer, ports);
    if (definition.readsUnclosedThinking) return score;
    return async (input, signal) => (input.unclosedThinking ? executedScore(invalid('unclosed_thinking')) : score(input, signal));
  }
  if (scorer.kind === 'all' || scorer.kind === 'any') {
    const children = scorer.scorers.map((child) => compileExecutedScorer(child, ports));
    const combine = combinerOf(scorer);
    return async (input, signal) => {
      const scores: ExecutedScore[] = [];
      // One after the other: a composite has few children, and the traces of a shard run side by side already.
      for (const child of children) scores.push(await child(input, signal));
      return executedScore(combine(scores), sumJudgeUsage(scores.map(({ usage }) => usage)));
    };
  }
  if (scorer.kind === 'tool_call') {
    const children = new Map(argumentScorers(scorer).map(([key, child]) => [key, compileExecutedScorer(child, ports)]));
    return async (input, signal) => {
      const { questions, finish } = planToolCall(scorer, input);
      const scores: ExecutedScore[] = [];
      for (const question of questions) scores.push(await children.get(question.key)!(question.input, signal));
      return executedScore(finish(scores), sumJudgeUsage(scores.map(({ usage }) => usage)));
    };
  }
  throw new TypeError(`${scorer.kind} has no children that could ask a judge or run code`);
}
