import { type ScorerOf } from '@kiln/contracts';
import { compilePattern } from '../compile-pattern.js';
import { excerpt } from '../excerpt.js';
import { executedScore } from '../executed-score.js';
import { lastQuestion } from '../last-question.js';
import { meanOf } from '../mean-of.js';
import { invalid, unscorable } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { acceptExample, scorerRefusal } from '../scorer-refusal.js';
import { candidateFlags } from './candidate-flags.js';
import { type JudgeQuestionText } from './judge-prompt.js';
import { JudgeSession } from './judge-session.js';
import { countUses, fillTemplate, isPlaceholder, namesIn, PLACEHOLDERS, type Placeholder } from './judge-template.js';
import { candidateText } from './judged-texts.js';
import { judgedScore, withoutJudgment } from './judged-score.js';
import { measureDisagreement } from './measure-disagreement.js';
import { readScore } from './read-score.js';
import { requireTarget } from './require-target.js';

type LlmJudge = ScorerOf<'llm_judge'>;

/** From this score on an answer passes. */
const PASS = 0.5;

/**
 * A model grades the answer with the suite's own template (contracts.md §1.7). The judge sees the whole output, reasoning
 * included. The score is the mean over the repetitions of what `score_regex` captured, each brought to [0, 1]; from 0.5 on it
 * passes. One repetition that cannot be read makes the whole `invalid`; a judge that cannot be asked makes it an `error`.
 */
export function compileLlmJudge(scorer: LlmJudge, ports: ScorerPorts): ExecutedScorer {
  const pattern = compilePattern(scorer.score_regex, true);
  if (pattern.kind === 'bad_pattern') return async () => executedScore(unscorable('bad_pattern', { message: excerpt(pattern.message) }));
  const usesTarget = countUses(scorer.template).target > 0;

  return async (input, signal) => {
    const answer = candidateText(input.rawText, input.toolCalls);
    if (answer.trim() === '') return executedScore(invalid('empty_answer'));
    if (usesTarget && input.target === null) return executedScore(unscorable('target_missing'));
    const texts = { question: lastQuestion(input), target: input.target ?? '', answer };
    const question = gradingQuestion(scorer, texts);
    const session = new JudgeSession(ports, scorer, [scorer.template, ...Object.values(texts)].join('\0'), signal);
    const flags = candidateFlags(answer, pattern);
    const raw: number[] = [];
    for (let rep = 0; rep < scorer.grader_reps; rep += 1) {
      const asked = await session.ask(rep, { ...question, read: (reply) => readScore(pattern, reply) });
      if (asked.kind !== 'judgment') return withoutJudgment(asked, session, flags);
      raw.push(asked.judgment);
    }
    const scores = raw.map((value) => Math.min(1, Math.max(0, value)));
    const score = meanOf(scores);
    const clamped = scores.some((value, rep) => value !== raw[rep]);
    const detail = {
      ...measureDisagreement(scores.map((value) => value >= PASS)),
      min: Math.min(...scores),
      max: Math.max(...scores),
      ...(clamped ? { clamped: true } : {}),
    };
    return judgedScore({ kind: score >= PASS ? 'pass' : 'fail', score, detail }, meanOf(raw), session, flags);
  };
}

/** The question that a template makes of the texts. */
export function gradingQuestion(
  { template, system_prompt: system }: Pick<LlmJudge, 'template' | 'system_prompt'>,
  texts: Readonly<Record<Placeholder, string>>,
): JudgeQuestionText {
  return { system, data: Object.values(texts), write: (fence) => fillTemplate(template, texts, fence) };
}

export function checkLlmJudge({ template, score_regex }: LlmJudge, path: string): ScorerCheck {
  const known = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
  const names = namesIn(template);
  const unknown = names.find((name) => !isPlaceholder(name));
  if (unknown !== undefined) {
    const hint = `Use ${known}. Braces that are meant as text get a space: { ${unknown} }.`;
    throw scorerRefusal(`${path}.template`, `has the unknown placeholder {${unknown}}`, hint);
  }
  if (!names.includes('answer')) {
    throw scorerRefusal(
      `${path}.template`,
      'does not show the answer to the judge',
      `Write {answer} where it belongs; there are ${known}.`,
    );
  }
  const pattern = compilePattern(score_regex, true);
  if (pattern.kind === 'bad_pattern') {
    throw scorerRefusal(`${path}.score_regex`, pattern.message, 'Patterns use RE2 syntax: no look-around, no back-references.');
  }
  if (pattern.groups === 0) {
    throw scorerRefusal(`${path}.score_regex`, 'has no capture group', 'Put the number in parentheses: score: ([01](?:\\.\\d+)?).');
  }
  return names.includes('target') ? requireTarget('a template with {target}') : acceptExample;
}
