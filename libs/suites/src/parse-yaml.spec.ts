import { describe, expect, it } from 'vitest';
import { parseSuiteDocument } from './parse-suite-document.js';
import { parseText } from './parse-text.js';
import { errorOf } from './suite-text.fixture.js';

const SUITE = `
name: capitals
schema_version: 2
default_scorer: &exact { kind: exact_match, case_sensitive: false }
examples:
  - id: france            # ids, targets and contents are text
    messages: [{ role: user, content: What is the capital of France? }]
    target: Paris
  - messages:
      - role: user
        content: |
          Answer yes or no:
          is the sky blue?
    target: yes
    scorer: *exact
`;

const messageOf = (text: string): string => errorOf(() => parseSuiteDocument(text, 'yaml')).message;

describe('suites in YAML', () => {
  it('reads block text, comments, anchors, and words that older YAML took for booleans', () => {
    const { header, examples } = parseSuiteDocument(SUITE, 'yaml');
    expect(header.default_scorer).toMatchObject({ kind: 'exact_match', case_sensitive: false });
    expect(examples.map(({ target }) => target)).toEqual(['Paris', 'yes']);
    expect(examples[1]?.messages[0]?.content).toBe('Answer yes or no:\nis the sky blue?\n');
    expect(examples[1]?.scorer).toMatchObject({ kind: 'exact_match' });
  });

  it('asks for quotes instead of guessing how a number was written', () => {
    expect(messageOf(SUITE.replace('target: Paris', 'target: 1.10'))).toBe(
      'examples[0].target: expected a string, got 1.1; put it in quotes',
    );
  });

  it.each([
    ['a syntax error', 'name: [a', /^suite: not valid YAML: .* at line \d+, column \d+$/],
    ['repeated keys', 'name: a\nname: b\n', /^suite: not valid YAML: .*unique.* at line 2, column 1$/],
    ['a second document', 'name: a\n---\nname: b\n', /^suite: not valid YAML: /],
    ['tags that build objects', 'name: !!js/function "() => 1"\n', /^suite: not valid YAML: .*js\/function/],
    ['an unknown alias', 'name: *nobody\n', /^suite: not valid YAML: /],
    ['infinity', SUITE.replace('target: Paris', 'target: Paris\n    weight: .inf'), /^examples\[0\]\.weight: /],
    ['merge keys as ordinary fields', SUITE.replace('scorer: *exact', 'scorer: { <<: *exact }'), /^examples\[1\]\.scorer/],
    ['a list', '- a\n', /^suite: /],
    ['nothing', '', /^suite: /],
  ])('refuses %s', (_, text, message) => {
    expect(messageOf(text)).toMatch(message);
  });

  it('refuses an alias bomb quickly', () => {
    const levels = Array.from({ length: 12 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`);
    const started = performance.now();
    expect(errorOf(() => parseText(['l0: &l0 [lol]', ...levels].join('\n'), 'yaml', 'suite')).message).toMatch(
      /^suite: not valid YAML: .*alias/i,
    );
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('refuses YAML so long that its tree would fill the memory', () => {
    expect(errorOf(() => parseText(`a: "${'x'.repeat(9_000_000)}"`, 'yaml', 'suite'))).toMatchObject({ code: 'payload_too_large' });
  });
});
