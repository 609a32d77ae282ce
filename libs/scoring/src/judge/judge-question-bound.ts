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

/**
 * The bound over all judges in a scorer, children included; zero when it asks none. The bytes are linear in both sizes, so that
 * what the next byte adds can be measured once and used for traces that do not exist yet.
 */
export function judgeQuestionBound(scorer: Scorer, { traceBytes, exampleBytes }: JudgedSizes): JudgeQuestionBound {
  const { calls, maxTokens, fixedBytes, answers, examples } = questionSize(scorer);
  return { calls, promptBytes: fixedBytes + answers * traceBytes + examples * exampleBytes, maxTokens };
}

interface QuestionSize {
  readonly calls: number;
  readonly maxTokens: number;
  /** Of a question about nothing. */
  readonly fixedBytes: number;
  /** How often the answer and the example's texts are shown. */
  readonly answers: number;
  readonly examples: number;
}

const NOTHING: QuestionSize = { calls: 0, maxTokens: 0, fixedBytes: 0, answers: 0, examples: 0 };

function questionSize(scorer: Scorer): QuestionSize {
  return [ownSize(scorer), ...childScorers(scorer).map(questionSize)].reduce((a, b) => ({
    calls: a.calls + b.calls,
    maxTokens: Math.max(a.maxTokens, b.maxTokens),
    fixedBytes: Math.max(a.fixedBytes, b.fixedBytes),
    answers: Math.max(a.answers, b.answers),
    examples: Math.max(a.examples, b.examples),
  }));
}

function ownSize(scorer: Scorer): QuestionSize {
  switch (scorer.kind) {
    case 'llm_judge': {
      const uses = countUses(scorer.template);
      const question = gradingQuestion(scorer, { question: '', target: '', answer: '' });
      // Question and target are different parts of the example.
      return sizeOf(scorer, question, { orders: 1, answers: uses.answer, examples: Math.max(uses.question, uses.target) });
    }
    case 'judge':
      return sizeOf(scorer, claimsQuestion(scorer.claims, '', ''), { orders: 1, answers: 1, examples: 1 });
    case 'pairwise_judge':
      return sizeOf(scorer, pickQuestion(scorer.criteria, '', '', ''), { orders: 2, answers: 1, examples: 1 });
    default:
      return NOTHING;
  }
}

function sizeOf(
  scorer: { grader_reps: number; max_tokens: number },
  question: JudgeQuestionText,
  { orders, answers, examples }: { orders: number; answers: number; examples: number },
): QuestionSize {
  const flaws = Object.keys(CORRECTIONS) as UnreadableReason[];
  const bytes = flaws.map((flaw) =>
    judgePrompt(question, longestFence(), flaw).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  );
  const fixedBytes = Math.max(...bytes) + answers * CANDIDATE_EXTRA_BYTES;
  return { calls: scorer.grader_reps * orders * TRIES, maxTokens: scorer.max_tokens, fixedBytes, answers, examples };
}
