import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { childScorers, ScorerKind } from '@kiln/contracts';
import { compileScorer, compileScorerCheck, plainAnswer } from '@kiln/scoring';
import { describe, expect, it } from 'vitest';
import { effectiveScorer } from './effective-settings.js';
import { exampleToProve } from './example-to-prove.js';
import { type ParsedSuite, parseSuiteDocument } from './parse-suite-document.js';

const folder = fileURLToPath(new URL('../../../suites/', import.meta.url));
const files = readdirSync(folder).filter((name) => /\.(json|yaml)$/.test(name));
const parse = (name: string): ParsedSuite =>
  parseSuiteDocument(readFileSync(folder + name, 'utf8'), name.endsWith('.yaml') ? 'yaml' : 'json', { compileScorerCheck });

/** They need a judge or a sandbox. */
const RUN_ELSEWHERE = new Set<ScorerKind>(['llm_judge', 'judge', 'pairwise_judge', 'python_doctest', 'code_eval', 'bash']);

describe('the suites in the repository', () => {
  it('are there', () => {
    expect(files).toEqual(['arithmetic-200.json', 'formats-smoke.yaml', 'math-smoke.json', 'qwen3.5-agentic-core.yaml']);
  });

  it.each(files)('%s is named after its file and passes its own scorers', (name) => {
    const { header, examples } = parse(name);
    expect(name).toMatch(new RegExp(`^${header.name}\\.`));
    for (const example of examples) {
      if (example.target === null) continue;
      const score = compileScorer(effectiveScorer(header, example));
      const input = plainAnswer(example.target, exampleToProve(header, example));
      expect(score(input), example.id).toMatchObject({ kind: 'pass', score: 1 });
    }
  });

  it('show every scorer that only reads the trace in formats-smoke', () => {
    const { header, examples } = parse('formats-smoke.yaml');
    const scorers = examples.map((example) => effectiveScorer(header, example));
    const kinds = new Set<string>();
    for (let level = scorers; level.length > 0; level = level.flatMap(childScorers)) level.forEach(({ kind }) => kinds.add(kind));
    expect([...kinds].toSorted()).toEqual(ScorerKind.options.filter((kind) => !RUN_ELSEWHERE.has(kind)).toSorted());
  });
});

describe('arithmetic-200', () => {
  const { examples } = parse('arithmetic-200.json');

  it('is what its generator writes', () => {
    const written = execFileSync(process.execPath, [`${folder}generate-arithmetic.mjs`], { encoding: 'utf8' });
    expect(readFileSync(`${folder}arithmetic-200.json`, 'utf8')).toBe(written);
  });

  it('asks 200 different questions and knows the answers', () => {
    expect(new Set(examples.map(({ messages }) => messages[0]?.content)).size).toBe(200);
    for (const { id, messages, target, tags } of examples) {
      const [, left = '', sign = '', right = ''] = /^(\d+) ([-+×]) (\d+)\?$/.exec(messages[0]?.content ?? '') ?? [];
      const [a, b] = [BigInt(left), BigInt(right)];
      expect(target, id).toBe(String(sign === '+' ? a + b : sign === '-' ? a - b : a * b));
      expect(tags).toEqual([{ '+': 'addition', '-': 'subtraction', '×': 'multiplication' }[sign], expect.stringMatching(/^digits:\d-\d$/)]);
      expect(id).toMatch({ '+': /^add-\d{3}$/, '-': /^sub-\d{3}$/, '×': /^mul-\d{3}$/ }[sign] ?? /never/);
    }
  });

  it('has seen every operation after any ten examples', () => {
    const operations = examples.map(({ id }) => id.slice(0, 3));
    for (let start = 0; start + 10 <= operations.length; start += 1) expect(new Set(operations.slice(start, start + 10)).size).toBe(3);
  });
});
