import { type ScorerOf } from '@kiln/contracts';
import { codeLanguage } from '../code/code-language.js';
import { readTargetCode } from '../code/read-code-blocks.js';
import { findRightAnswers } from '../right-answers.js';
import { type MutateExample, mustNotPass, mustPass } from './mutant.js';
import { wrongTexts } from './wrong-texts.js';

/** Shares no word with any code, and no line. */
const OTHER_CODE = 'zzq1 = zzq2(zzq3)';

export function proveCode({ style, language }: ScorerOf<'code'>): MutateExample | string {
  if (style.kind === 'any_block') return 'any_block passes for any code, whatever the target';
  const demanded = language === null ? null : codeLanguage(language);
  return (example) => {
    const answers = findRightAnswers(example);
    const gold = answers && readTargetCode(answers[0], demanded);
    if (!gold) return null;
    const fenced = (code: string): string => `\`\`\`${language ?? ''}\n${code}\n\`\`\``;
    // Bare code counts only where no language is demanded.
    const text = demanded === null || answers[0].includes('```') ? answers[0] : fenced(gold.code);
    const wrong = [mustNotPass('other_code', fenced(OTHER_CODE))];
    if (style.kind === 'exact_block') wrong.push(mustNotPass('changed_value', fenced(`${gold.code}\n${OTHER_CODE}`)));
    return [
      mustPass('target', text),
      mustPass('fence', fenced(gold.code)),
      mustPass('white_space', `\n\n${fenced(gold.code)}\n\n`),
      mustPass('sentence', `Here is the code:\n\n${fenced(gold.code)}\n\nThat is all.`),
      ...wrongTexts((candidate) => answers.some((answer) => answer.trim() === candidate.trim())),
      ...wrong,
    ];
  };
}
