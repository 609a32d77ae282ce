import { type Score } from '@kiln/contracts';
import { isInlineScorer } from '@kiln/scoring';
import { effectiveScorer, exampleToProve, type ExampleToProve, type ParsedSuite } from '@kiln/suites';
import { type AnswerScorer } from './answer-scorer.js';
import { type KnownAnswer, type ReadExample, type SuiteDataSet } from './data-set.js';
import { importSuite } from './import-suite.js';

export interface Finding {
  /** Which answer or line. */
  readonly at: string;
  readonly message: string;
}

export interface DataSetReport {
  readonly rows: number;
  readonly examples: number;
  readonly scorers: readonly string[];
  readonly leftOut: Readonly<Record<string, number>>;
  /** Answers that were scored. */
  readonly answers: number;
  /** Answers that should pass, and those of them that do. */
  readonly gold: { readonly answers: number; readonly passes: number };
  /** Answers that should not pass, and those of them that do not. */
  readonly wrong: { readonly answers: number; readonly refused: number };
  /** Differences with their reasons. */
  readonly explained: readonly Finding[];
  readonly unexplained: readonly Finding[];
}

/** Two at a time, because those that run code wait for another process. */
const SIDE_BY_SIDE = 2;

/** Imports a data set as a suite and scores its answers. Whatever does not come out as it should is a finding. */
export async function checkDataSet(
  dataSet: SuiteDataSet,
  text: string,
  scorer: AnswerScorer,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<DataSetReport> {
  const imported = importSuite(dataSet, text);
  const { suite, examples, flaws } = imported;
  const questions = suite === null ? [] : questionsOf(dataSet, suite, examples);
  const results = new Map<number, Score>();
  const waiting = questions.entries();
  const drain = async (): Promise<void> => {
    for (const [index, { example, answer }] of waiting) {
      results.set(index, await scorer.score(example, answer));
      onProgress(results.size, questions.length);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, drain));

  const counts = { gold: { answers: 0, passes: 0 }, wrong: { answers: 0, refused: 0 } };
  const findings: Finding[] = [...flaws];
  const passes = new Map<string, number>(Object.keys(dataSet.published).map((group) => [group, 0]));
  for (const [index, { example, answer }] of questions.entries()) {
    const { kind, detail } = results.get(index)!;
    const isRight = answer.expected === 'wrong' ? kind === 'fail' || kind === 'invalid' : kind === answer.expected;
    if (answer.expected === 'pass') {
      counts.gold.answers += 1;
      if (isRight) counts.gold.passes += 1;
    } else {
      counts.wrong.answers += 1;
      if (isRight) counts.wrong.refused += 1;
    }
    if (answer.group !== undefined && kind === 'pass') passes.set(answer.group, (passes.get(answer.group) ?? 0) + 1);
    if (!isRight)
      findings.push({ at: `${example.id}: ${answer.name}`, message: `${kind}, not ${answer.expected}: ${JSON.stringify(detail)}` });
  }
  for (const [group, count] of passes) {
    const published = dataSet.published[group];
    if (count !== published) findings.push({ at: group, message: `${count} pass, published: ${published ?? 'nothing'}` });
  }
  return {
    rows: imported.rows,
    examples: examples.length,
    scorers: imported.scorerKinds,
    leftOut: Object.fromEntries(imported.leftOut),
    answers: questions.length,
    ...counts,
    ...explain(findings, dataSet.exceptions),
  };
}

interface Question {
  readonly example: ExampleToProve;
  readonly answer: KnownAnswer;
}

function questionsOf(dataSet: SuiteDataSet, { header, examples: parsed }: ParsedSuite, read: readonly ReadExample[]): Question[] {
  const examples = parsed.map((example) => exampleToProve(header, example));
  const own = examples.flatMap((example, index) => read[index]!.answers.map((answer) => ({ example, answer })));
  if (!dataSet.comparesNeighbours) return own;
  const foreign = examples.flatMap((example, index) => {
    const next = (index + 1) % examples.length;
    const [answer] = read[next]!.answers;
    const isCompared = answer !== undefined && isInlineScorer(effectiveScorer(header, parsed[index]!));
    if (!isCompared || example.target === examples[next]!.target) return [];
    return [{ example, answer: { ...answer, name: `answer of ${examples[next]!.id}`, expected: 'wrong' as const } }];
  });
  return [...own, ...foreign];
}

/** Splits the differences; a reason that explains nothing is a difference itself, so that the reasons stay true. */
function explain(
  findings: readonly Finding[],
  exceptions: Readonly<Record<string, string>>,
): { explained: Finding[]; unexplained: Finding[] } {
  const explained: Finding[] = [];
  const unexplained: Finding[] = [];
  const used = new Set<string>();
  for (const { at, message } of findings) {
    const key = [at, at.slice(0, Math.max(0, at.indexOf(': ')))].find((place) => Object.hasOwn(exceptions, place));
    if (key === undefined) unexplained.push({ at, message });
    else {
      used.add(key);
      explained.push({ at, message: exceptions[key]! });
    }
  }
  for (const key of Object.keys(exceptions)) {
    if (!used.has(key)) unexplained.push({ at: key, message: 'listed as an exception, but all is as expected: remove it' });
  }
  return { explained, unexplained };
}
