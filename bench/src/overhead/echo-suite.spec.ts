import { Example, SuiteHeader } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { echoSuiteLines, echoSuiteName } from './echo-suite.js';

async function linesOf(examples: number, promptBytes: number): Promise<unknown[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of echoSuiteLines(examples, promptBytes)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('echoSuiteLines', () => {
  it('is a suite of different examples that each ask for their own text, over several chunks', async () => {
    const [header, ...examples] = await linesOf(1234, 256);
    expect(SuiteHeader.parse(header).name).toBe(echoSuiteName(1234));
    const parsed = examples.map((example) => Example.parse(example));
    expect(parsed).toHaveLength(1234);
    expect(parsed.every(({ messages, target }) => messages[0]?.content === target)).toBe(true);
    expect(new Set(parsed.map(({ target }) => target)).size).toBe(1234);
    const sizes = parsed.map(({ target }) => target!.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
    expect(Math.min(...sizes)).toBeGreaterThan(240);
  });

  it('keeps examples apart where the prompt is shorter than their number', async () => {
    const [, ...examples] = await linesOf(20, 1);
    expect(new Set(examples.map((example) => Example.parse(example).target)).size).toBe(20);
  });
});
