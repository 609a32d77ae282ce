import { type Pattern } from '../compile-pattern.js';

/** Verdicts in the forms that judges use: `GRADE: C`, `[[A]]`, `"met": true`. */
const VERDICT = /\bgrade\s{0,8}:|\[\[[^[\]\n]{1,8}\]\]|"met"\s{0,8}:/i;

/** What looks like the end or the start of quoted data: `[END DATA]`, `</answer>`, `<<<END`, `### End of`. */
const DELIMITER = /\[\s{0,8}(?:begin|end)\b|<\/(?:answer|response|candidate|data|submission|text)>|[<=*#-]{3}\s{0,8}(?:begin|end)\b/i;

/** Why a candidate's text deserves a second look: it holds what could steer a careless judge (C40). */
export type CandidateFlag = 'verdict_syntax' | 'delimiter_syntax';

/** @param verdict the scorer's own pattern for verdicts, where it has one */
export function candidateFlags(candidate: string, verdict: Pattern | null): CandidateFlag[] {
  const ownVerdict = verdict !== null && verdict.affords(candidate) && verdict.matches(candidate);
  return [
    ...(ownVerdict || VERDICT.test(candidate) ? (['verdict_syntax'] as const) : []),
    ...(DELIMITER.test(candidate) ? (['delimiter_syntax'] as const) : []),
  ];
}
