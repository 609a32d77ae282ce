import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFences } from './read-fences.js';

const { fence_extraction: vectors } = JSON.parse(readFileSync(new URL('../vectors/code-similarity.json', import.meta.url), 'utf8')) as {
  fence_extraction: { text: string; blocks: { lang: string; code: string }[] }[];
};

it.each(vectors.map(({ text, blocks }) => [text, blocks] as const))('vector %j', (text, blocks) => {
  expect(readFences(text).map(({ language, code }) => ({ lang: language, code }))).toEqual(blocks);
});

describe('readFences', () => {
  const codes = (text: string): string[] => readFences(text).map(({ code }) => code);

  it.each([
    ['a tilde fence holds back-ticks', '~~~\n```\n~~~', ['```\n']],
    ['a shorter fence does not close', '````\n```\n````', ['```\n']],
    ['a closing fence has no language', '```\na\n```py\nb\n```', ['a\n```py\nb\n']],
    ['a closing fence may be longer and indented', '```\na\n   `````  \nb', ['a\n']],
    ['four spaces are no fence', '    ```\na', []],
    ['an empty block', '```\n```', ['']],
    ['back-ticks in the language of a tilde fence', '~~~ a`b\nx\n~~~', ['x\n']],
    ['Windows line ends', '```py\r\na\r\n```\r\n', ['a\r\n']],
    ['less indentation than the fence', '  ```\n a\n   b\n  ```', ['a\n b\n']],
    ['no text', '', []],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it('gives back what was fenced, whatever it holds', () => {
    const line = fc.stringMatching(/^[ `~a-z#]{0,12}$/);
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const code = lines.map((text) => `${text}\n`).join('');
        return codes(`\`\`\`\`\`\`\`\`\`\`\`\`\`x\n${code}\`\`\`\`\`\`\`\`\`\`\`\`\`\n`)[0] === code;
      }),
    );
  });

  it('takes time in proportion to the length', () => {
    const started = performance.now();
    for (const text of ['`'.repeat(1_000_000), '```\n'.repeat(300_000), '~'.repeat(500_000) + '\n' + '`'.repeat(500_000)]) readFences(text);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
