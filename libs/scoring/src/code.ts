import { type Score, type ScorerOf } from '@kiln/contracts';
import { codeLanguage } from './code/code-language.js';
import { compareCode, type CodeComparison } from './code/compare-code.js';
import { type CodeBlock, readCodeBlocks, readTargetCode } from './code/read-code-blocks.js';
import { rightAnswers } from './right-answers.js';
import { failed, invalid, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, requireReadable } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type CodeScorer = ScorerOf<'code'>;

/**
 * Compares the code of an answer with the code of the target or an alias, and runs neither. Of several blocks the one that is
 * most alike counts; the score is how alike it is. `any_block` passes for any code. An answer without code, or without a
 * block in the demanded language, is `invalid`.
 */
export function compileCode(scorer: CodeScorer): CompiledScorer {
  const language = demandedLanguage(scorer);
  return (input) => {
    const targets = rightAnswers(input);
    const answer = readCodeBlocks(input.text, language, targets);
    if (answer.kind === 'none') return invalid(answer.reason);
    if (scorer.style.kind === 'any_block') return { kind: 'pass', score: 1, detail: null };
    if (targets.length === 0) return unscorable('target_missing');
    const comparisons = targets.map((wanted) => comparisonWith(scorer, wanted)).filter((comparison) => comparison !== null);
    if (comparisons.length < targets.length) return unscorable('target_has_no_code');
    return bestOf(comparisons.flatMap((comparison) => answer.blocks.map((block) => compare(comparison, block))));
  };
}

function compare({ similarity, threshold }: CodeComparison, block: CodeBlock): Score {
  const score = similarity(block);
  return score >= threshold ? { kind: 'pass', score, detail: null } : failed({ reason: 'different' }, score);
}

/** The highest score. All share one threshold, so it passes when any does. */
function bestOf(scores: readonly Score[]): Score {
  return scores.reduce((best, score) => (score.score > best.score ? score : best));
}

function demandedLanguage({ language }: CodeScorer): string | null {
  return language === null ? null : codeLanguage(language);
}

function comparisonWith(scorer: CodeScorer, target: string): CodeComparison | null {
  const code = readTargetCode(target, demandedLanguage(scorer));
  return code === null || scorer.style.kind === 'any_block' ? null : compareCode(scorer.style, code);
}

export function checkCode(scorer: CodeScorer): ScorerCheck {
  if (scorer.style.kind === 'any_block') return acceptExample;
  return requireReadable(
    (target) => comparisonWith(scorer, target) !== null,
    `must hold code that the scorer code can compare by ${scorer.style.kind}`,
    'Write code, bare or in a fence of the demanded language; token_similarity needs a word of 2 characters, line_coverage a line of 4.',
  );
}
