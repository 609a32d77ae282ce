import { type Pattern } from '../compile-pattern.js';

/** Judgments in the forms that judges use: `GRADE: C`, `[[A]]`, `"met": true`. */
const JUDGMENT = /\bgrade\s{0,8}:|\[\[[^[\]\n]{1,8}\]\]|"met"\s{0,8}:/i;

/** What looks like the end or the start of quoted data: `[END DATA]`, `</answer>`, `<<<END`, `### End of`. */
const DELIMITER = /\[\s{0,8}(?:begin|end)\b|<\/(?:answer|response|candidate|data|submission|text)>|[<=*#-]{3}\s{0,8}(?:begin|end)\b/i;

/** Why a candidate's text deserves a second look: it holds what could steer a careless judge (C40). */
export type CandidateFlag = 'judgment_syntax' | 'delimiter_syntax';

/** @param judgment the scorer's own pattern for judgments, where it has one */
export function candidateFlags(candidate: string, judgment: Pattern | null): CandidateFlag[] {
  const ownJudgment = judgment !== null && judgment.affords(candidate) && judgment.matches(candidate);
  return [
    ...(ownJudgment || JUDGMENT.test(candidate) ? (['judgment_syntax'] as const) : []),
    ...(DELIMITER.test(candidate) ? (['delimiter_syntax'] as const) : []),
  ];
}
