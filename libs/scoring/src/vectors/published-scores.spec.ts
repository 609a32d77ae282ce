import { describe, expect, it } from 'vitest';
import { kindOf } from '../score-answer.fixture.js';
import { findThirdPartyRows, findThirdPartyVectors } from './find-third-party.fixture.js';

/** What others published and our scorers recompute from the published answers. Standard errors: libs/statistics. */
describe('published_scores.json', () => {
  const published = findThirdPartyVectors('published_scores.json');
  const rows = findThirdPartyRows('promptfoo_classification_results.jsonl');

  it.skipIf(published === null || rows === null)('promptfoo: contains gives every published number of passes', () => {
    const tables = published.filter(({ name }: { name: string }) => name.startsWith('promptfoo '));
    expect(tables.length).toBeGreaterThan(0);
    for (const { name, published: table } of tables) {
      const prompt = name.slice('promptfoo '.length);
      const passes = rows?.filter(
        ({ label, outputs }) => kindOf({ kind: 'contains', phrases: [label] }, outputs[prompt].output) === 'pass',
      );
      expect(passes?.length, prompt).toBe(table.pass);
    }
  });

  it.skipIf(rows === null)('and the verdict on every single answer', () => {
    for (const { label, outputs } of rows ?? []) {
      for (const [prompt, { output, verdict }] of Object.entries<{ output: string; verdict: string }>(outputs)) {
        expect(kindOf({ kind: 'contains', phrases: [label] }, output), `${prompt}: ${output}`).toBe(verdict === 'PASS' ? 'pass' : 'fail');
      }
    }
  });
});
