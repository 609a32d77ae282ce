import { childScorers, type Scorer } from '@kiln/contracts';
import { claimsQuestion } from './claims-judge.js';
import { longestFence } from './data-fence.js';
import { judgePrompt, type JudgeQuestionText } from './judge-prompt.js';
import { TRIES } from './judge-session.js';
import { countUses } from './judge-template.js';
import { CANDIDATE_EXTRA_BYTES } from './judged-texts.js';
import { gradingQuestion } from './llm-judge.js';
import { pickQuestion } from './pairwise-judge.js';
import { CORRECTIONS, type UnreadableReason } from './reading.js';

/** What judging one trace takes at most. */
export interface JudgeQuestionBound {
  /** Calls to judges: repetitions, both orders of a pair, and the re-ask of each. */
  readonly calls: number;
  /** UTF-8 bytes of all messages of the longest call, before a chat template. */
  readonly promptBytes: number;
  /** Completion tokens of the longest call. */
  readonly maxTokens: number;
}

/** UTF-8 bytes of what is judged. */
export interface JudgedSizes {
  /** The raw output and the JSON of tool calls beside it. */
  readonly traceBytes: number;
  /** Prompt, target, and whatever else of the example a judge may be shown. */
  readonly exampleBytes: number;
}

/** The bound over all judges in a scorer, children included; zero when it asks none. */
export function judgeQuestionBound(scorer: Scorer, sizes: JudgedSizes): JudgeQuestionBound {
  const bounds = childScorers(scorer).map((child) => judgeQuestionBound(child, sizes));
  return [ownBound(scorer, sizes), ...bounds].reduce((a, b) => ({
    calls: a.calls + b.calls,
    promptBytes: Math.max(a.promptBytes, b.promptBytes),
    maxTokens: Math.max(a.maxTokens, b.maxTokens),
  }));
}

function ownBound(scorer: Scorer, { traceBytes, exampleBytes }: JudgedSizes): JudgeQuestionBound {
  const answerBytes = traceBytes + CANDIDATE_EXTRA_BYTES;
  switch (scorer.kind) {
    case 'llm_judge': {
      const uses = countUses(scorer.template);
      const question = gradingQuestion(scorer, { question: '', target: '', answer: '' });
      return boundOf(scorer, 1, question, uses.answer * answerBytes + Math.max(uses.question, uses.target) * exampleBytes);
    }
    case 'judge':
      return boundOf(scorer, 1, claimsQuestion(scorer.claims, '', ''), answerBytes + exampleBytes);
    case 'pairwise_judge':
      return boundOf(scorer, 2, pickQuestion(scorer.criteria, '', '', ''), answerBytes + exampleBytes);
    default:
      return { calls: 0, promptBytes: 0, maxTokens: 0 };
  }
}

/** @param question with empty data; its real data takes `dataBytes` */
function boundOf(
  scorer: { grader_reps: number; max_tokens: number },
  orders: number,
  question: JudgeQuestionText,
  dataBytes: number,
): JudgeQuestionBound {
  const flaws = Object.keys(CORRECTIONS) as UnreadableReason[];
  const fixed = flaws.map((flaw) =>
    judgePrompt(question, longestFence(), flaw).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  );
  return { calls: scorer.grader_reps * orders * TRIES, promptBytes: Math.max(...fixed) + dataBytes, maxTokens: scorer.max_tokens };
}
