import { codeLanguage } from './code-language.js';
import { looksLikeCode } from './looks-like-code.js';
import { readFences } from './read-fences.js';

/** Blocks of an answer that are compared, the first ones; each is compared with each target. */
const MAX_BLOCKS = 64;

/** A piece of code and its language; null where nothing names it. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string | null;
}

export type CodeReading =
  | { readonly kind: 'code'; readonly blocks: readonly CodeBlock[] }
  /** No code at all, or none that is labelled with the demanded language. */
  | { readonly kind: 'none'; readonly reason: 'no_code' | 'no_block_in_language' };

/**
 * The code of an answer: its fenced blocks, of the demanded language where there is one. Text without a fence is code only
 * when no language is demanded and it looks like code, or is what the suite itself calls code (`known`).
 */
export function readCodeBlocks(text: string, language: string | null, known: readonly string[] = []): CodeReading {
  const fences = readFences(text).filter(({ code }) => code.trim() !== '');
  if (fences.length > 0) {
    const blocks = fences
      .map(({ code, language: label }) => ({ code, language: codeLanguage(label) || null }))
      .filter((block) => language === null || block.language === language)
      .slice(0, MAX_BLOCKS);
    return blocks.length > 0 ? { kind: 'code', blocks } : { kind: 'none', reason: 'no_block_in_language' };
  }
  const bare = text.trim();
  if (language !== null || bare === '') return { kind: 'none', reason: 'no_code' };
  if (!looksLikeCode(bare) && !known.some((code) => code.trim() === bare)) return { kind: 'none', reason: 'no_code' };
  return { kind: 'code', blocks: [{ code: text, language: null }] };
}

/** The code of a target: its first fenced block, unless that is labelled with another language; else the whole text. */
export function readTargetCode(target: string, language: string | null): CodeBlock | null {
  const [fence] = readFences(target);
  if (fence === undefined) return target.trim() === '' ? null : { code: target, language };
  const label = codeLanguage(fence.language) || language;
  return fence.code.trim() === '' || (language !== null && label !== language) ? null : { code: fence.code, language: label };
}
