import type { ScorerProof, ScorerProofGroup, ScorerProofRow } from '@kiln/contracts';
import { count, counted } from '../terminal/numbers.js';
import { clip, safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';
import { table } from '../terminal/table.js';

/** What is said of a proof besides its table. */
export interface ProvedSuite {
  readonly name: string;
  readonly proof: ScorerProof;
  /** Why the suite may gate although its scorers accept wrong answers; null when it says nothing. */
  readonly waiver: string | null;
}

const GROUPS = [
  { title: 'scorer' },
  { title: 'first example' },
  { title: 'examples', align: 'right' },
  { title: 'tried', align: 'right' },
  { title: '' },
] as const;
const WRONG = [
  { title: 'scorer' },
  { title: 'answer' },
  { title: 'should' },
  { title: 'wrong', align: 'right' },
  { title: 'of', align: 'right' },
  { title: 'first example' },
  { title: 'first answer' },
] as const;
const TEXT_WIDTH = 48;

/** All that a proof says. */
export function proofLines(suite: ProvedSuite, style: Style): string[] {
  const { name, proof } = suite;
  const groups = proof.groups.map((group) => [
    group.scorer_kind,
    clip(group.first_example_id, 24),
    count(group.examples),
    count(group.examples_tried),
    group.status === 'proved' ? `${group.rows.length} kinds of answers, ${verdictOf(group)}` : safeText(group.reason ?? group.status),
  ]);
  return [`${style.bold(safeText(name))} · ${resultOf(proof, style)}`, ...table(GROUPS, groups, 2), ...wrongLines(suite, style)];
}

/** A proof that tried nothing found nothing wrong either; it must not read like one that looked. */
function resultOf(proof: ScorerProof, style: Style): string {
  const { examples, examples_tried: tried, groups } = proof;
  if (tried > 0) return `${count(tried)} of ${counted(examples, 'example')} tried · ${counts(proof, style)}`;
  const reasons = [...new Set(groups.map(({ reason, status }) => safeText(reason ?? status)))];
  const why = reasons.length === 1 ? `: ${reasons[0]}` : '';
  return style.doubtful(`nothing was proved, none of ${counted(examples, 'example')} could be tried${why}`);
}

/** Only what is wrong; nothing for scorers that graded all answers as they should. */
export function wrongLines({ proof, waiver }: ProvedSuite, style: Style): string[] {
  const wrong = proof.groups.flatMap((group) => group.rows.filter((row) => row.wrong > 0).map((row) => cells(group, row)));
  if (wrong.length === 0) return [];
  const lines = ['', counts(proof, style), ...table(WRONG, wrong, 2)];
  if (proof.false_accepts === 0) return lines;
  if (waiver !== null) return [...lines, `This suite may gate all the same; it says why: ${safeText(waiver)}`];
  return [
    ...lines,
    'A suite whose scorer accepts wrong answers cannot gate: correct the scorer, or write a scorer_waiver that says why it may.',
  ];
}

function cells({ scorer_kind: kind }: ScorerProofGroup, row: ScorerProofRow): string[] {
  const { example_id: id, text } = row.first_wrong ?? { example_id: '', text: '' };
  const should = row.duty === 'pass' ? 'pass' : 'not pass';
  return [kind, row.mutant, should, count(row.wrong), count(row.tried), clip(id, 24), clip(JSON.stringify(text), TEXT_WIDTH)];
}

function verdictOf({ rows }: ScorerProofGroup): string {
  const wrong = rows.filter((row) => row.wrong > 0).length;
  return wrong === 0 ? 'all graded as they should be' : `${wrong} graded wrongly`;
}

function counts(proof: ScorerProof, style: Style): string {
  const { false_accepts: accepts, false_rejects: rejects } = proof;
  const text = `${counted(accepts, 'false accept')}, ${counted(rejects, 'false reject')}`;
  return accepts > 0 ? style.bad(text) : rejects > 0 ? style.doubtful(text) : style.good(text);
}
