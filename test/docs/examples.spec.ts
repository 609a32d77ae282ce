import { CompareRequest, Config, EvalConfig, GradedExpectation, RunRequest, Scorer, TargetSpec, parseWith } from '@kiln/contracts';
import { compileScorerCheck, scorerOfEvalConfig, scorerOfGrader } from '@kiln/scoring';
import { parseSuiteDocument, parseSuiteFiles, parseText } from '@kiln/suites';
import { describe, expect, it } from 'vitest';
import { type Fence, writtenDocuments } from './documents.js';
import { readScorerExample } from './scorer-example.js';

type Format = 'json' | 'yaml' | 'jsonl';

/** Readers of examples by the name behind the language: ```` ```json CompareRequest ````. Each answers what was read. */
const READERS: Record<string, (text: string, format: Format) => unknown> = {
  suite: readSuite,
  RunRequest: (text, format) => parseWith(RunRequest, valueOf(text, format), 'example'),
  CompareRequest: (text, format) => parseWith(CompareRequest, valueOf(text, format), 'example'),
  TargetSpec: (text, format) => parseWith(TargetSpec, valueOf(text, format), 'example'),
  Scorer: (text, format) => checkedScorer(parseWith(Scorer, valueOf(text, format), 'example')),
  EvalConfig: (text, format) => {
    const config = parseWith(EvalConfig, valueOf(text, format), 'example');
    checkedScorer(scorerOfEvalConfig(config));
    return config;
  },
  GradedExpectation: (text, format) => {
    const graded = parseWith(GradedExpectation, valueOf(text, format), 'example');
    checkedScorer(scorerOfGrader(graded));
    return graded;
  },
  Config: (text, format) => parseWith(Config, valueOf(text, format), 'example'),
  ScorerExample: (text, format) => readScorerExample(valueOf(text, format)),
  /** Something that a program printed, cut: only its syntax is checked. */
  excerpt: valueOf,
};

const examples = writtenDocuments().flatMap(({ file, fences }) =>
  fences.filter(({ language }) => isFormat(language)).map((fence) => [`${file}:${fence.line}`, fence] as const),
);

describe('JSON and YAML in the documents', () => {
  it.each(examples)('%s is read by the schema that it names, and nothing in it is ignored', (_place, fence) => {
    expect(flawsOf(fence)).toEqual([]);
  });

  it('would be refused with a misspelt field', () => {
    const text = JSON.stringify({ suite: 's', adapters: ['', 'a'], gaet: { min_accuracy: 0.5 } });
    expect(flawsOf({ language: 'json', info: ['CompareRequest'], text, line: 1 })).toEqual(['gaet']);
  });
});

function isFormat(language: string): language is Format {
  return language === 'json' || language === 'yaml' || language === 'jsonl';
}

/** Paths that were written and not read: schemas of requests ignore fields that they do not know. */
function flawsOf({ language, info, text }: Fence): string[] {
  const [name = ''] = info;
  const read = READERS[name];
  if (read === undefined || !isFormat(language)) throw new Error(`write one of ${Object.keys(READERS).join(', ')} behind ${language}`);
  const result = read(text, language);
  return language === 'jsonl' ? [] : lost(valueOf(text, language), result, '');
}

/** Registration's check too: a pattern, an expression or a schema in it may be wrong. */
function checkedScorer(scorer: Scorer): Scorer {
  compileScorerCheck(scorer, 'example');
  return scorer;
}

function readSuite(text: string, format: Format): unknown {
  if (format !== 'jsonl') {
    const { header, examples: parsed } = parseSuiteDocument(text, format, { compileScorerCheck });
    return { ...header, examples: parsed };
  }
  const [header = '', ...lines] = text.split('\n');
  return parseSuiteFiles(header, lines.join('\n'), { compileScorerCheck });
}

function valueOf(text: string, format: Format): unknown {
  return format === 'jsonl' ? text.split('\n').map((line) => JSON.parse(line) as unknown) : parseText(text, format, 'example');
}

function lost(written: unknown, read: unknown, at: string): string[] {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([key, value]) => {
    const place = at === '' ? key : `${at}.${key}`;
    if (typeof read !== 'object' || read === null || !Object.hasOwn(read, key)) return [place];
    return lost(value, (read as Record<string, unknown>)[key], place);
  });
}
