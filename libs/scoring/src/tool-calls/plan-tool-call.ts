import { type JsonObject, type Score, type ToolCallScorer } from '@kiln/contracts';
import { rightAnswers } from '../right-answers.js';
import { invalid, unscorable } from '../score-results.js';
import { type ScoringInput } from '../scoring-input.js';
import { type AnsweredCalls, answeredCalls } from './answered-calls.js';
import { type ArgumentQuestion } from './argument-comparison.js';
import { compareCalls } from './compare-calls.js';
import { readToolCalls } from './read-tool-calls.js';
import { countSchemaFaults } from './schema-faults.js';
import { type ToolCallReading } from './tool-call.js';
import { toolCallDetail } from './tool-call-detail.js';
import { toolCatalogue } from './tool-catalogue.js';

/** What must be asked about single arguments, and what the answers come to. */
export interface ToolCallPlan {
  readonly questions: readonly ArgumentQuestion[];
  /** @param answers in the order of the questions */
  finish(answers: readonly Score[]): Score;
}

/**
 * Reads the answer's calls and compares them with the target's and each alias's; the best comparison counts. No call where one
 * is wanted is `invalid`, and so is output without native XML where XML is required.
 */
export function planToolCall(scorer: ToolCallScorer, input: ScoringInput): ToolCallPlan {
  const { tools } = input;
  const targets = rightAnswers(input).map((text) => readToolCalls(text, tools));
  if (targets.length === 0) return done(unscorable('target_missing'));
  if (!targets.every(isTarget)) return done(unscorable('target_not_calls'));
  const reading = answeredCalls(input);
  const faults = countSchemaFaults(reading.calls, toolCatalogue(tools));
  const unread = unreadable(scorer, reading, targets.some(wantsNone));
  if (unread !== null) return done(invalid(unread, toolCallDetail(targets[0]!.calls, reading, faults)));
  const comparisons = targets.map(({ calls }) => compareCalls(scorer, reading.calls, calls, input));
  const questions = comparisons.flatMap((comparison) => comparison.questions);
  return {
    questions,
    finish: (answers) => {
      const failed = answers.findIndex(({ kind }) => kind === 'error');
      if (failed >= 0) {
        const detail: JsonObject = { key: questions[failed]!.key, scored: answers[failed]!.detail as JsonObject };
        return unscorable('argument_not_scored', detail);
      }
      let asked = 0;
      const scores = comparisons.map((comparison) => comparison.finish(answers.slice(asked, (asked += comparison.questions.length))));
      // A cut-off call is no call, and yet the model did not hold back.
      const passes = scores.map(({ isPass, calls }) => isPass && (calls.length > 0 || reading.incomplete === 0));
      const best = scores.reduce((top, { score }, index) => {
        const isBetter = passes[index] === passes[top] ? score > scores[top]!.score : passes[index];
        return isBetter ? index : top;
      }, 0);
      const detail = toolCallDetail(targets[best]!.calls, reading, faults, scores[best]);
      if (passes[best]) return { kind: 'pass', score: scores[best]!.score, detail };
      return { kind: 'fail', score: scores[best]!.calls.length === 0 ? 0 : scores[best]!.score, detail };
    },
  };
}

/** Whether a target says what is wanted: calls that can be read to the end, or that there is none. */
export function isTarget(reading: ToolCallReading): boolean {
  return reading.incomplete === 0 && (reading.calls.length > 0 || reading.statesNone);
}

/** Why the answer cannot be graded; null when it can. */
function unreadable(scorer: ToolCallScorer, { calls, incomplete, isAllThinking }: AnsweredCalls, noneWanted: boolean): string | null {
  if (isAllThinking) return 'unclosed_thinking';
  if (calls.length === 0) return noneWanted ? null : incomplete > 0 ? 'incomplete_tool_call' : 'no_tool_call';
  const isNativeXml = calls.some(({ format, repaired }) => format === 'qwen3_xml' && !repaired);
  return scorer.require_xml_format && !isNativeXml ? 'not_native_xml' : null;
}

function wantsNone({ calls }: ToolCallReading): boolean {
  return calls.length === 0;
}

function done(score: Score): ToolCallPlan {
  return { questions: [], finish: () => score };
}
