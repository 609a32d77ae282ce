import { type FrozenTarget, Generation } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { type SampleRequest, type SampleResult } from '../generator.js';
import { EchoGenerator } from './echo-generator.js';

const target: FrozenTarget = {
  kind: 'model',
  engine: 'echo',
  model: 'echo',
  adapter: null,
  model_digest: '',
  adapter_digest: null,
  tokenizer_digest: '',
  template_digest: '',
  pricing: { kind: 'free' },
};

function sample(content: string, generation: object = {}, over: Partial<SampleRequest> = {}): SampleRequest {
  return {
    id: 's',
    target,
    messages: [
      { role: 'user', content: 'first' },
      { role: 'user', content },
      { role: 'assistant', content: 'ignored' },
    ],
    tools: null,
    generation: Generation.parse(generation),
    seed: '1',
    deadlineMs: 1000,
    ...over,
  };
}

async function answer(request: SampleRequest) {
  const results: SampleResult[] = [];
  for await (const result of new EchoGenerator().generate([request], new AbortController().signal)) results.push(result);
  const [result] = results;
  if (result?.ok !== true) throw new Error('no trace');
  return result.trace;
}

describe('EchoGenerator', () => {
  it('answers with the last user message', async () => {
    expect(await answer(sample('añb 42'))).toMatchObject({
      text: 'añb 42',
      rawBytes: new TextEncoder().encode('añb 42'),
      tokenIds: null,
      promptTokens: 4,
      completionTokens: 2,
      stopReason: 'stop',
      usd: '0',
      priceBasis: 'free',
    });
  });

  it('obeys max_tokens, stop strings and reasoning tags', async () => {
    expect(await answer(sample('one two three', { max_tokens: 2 }))).toMatchObject({ text: 'one two', stopReason: 'length' });
    expect(await answer(sample('one STOP two', { stop: ['STOP'] }))).toMatchObject({ text: 'one ', stopReason: 'stop_string' });
    expect(await answer(sample('<think>hm</think>42'))).toMatchObject({ text: '42', reasoningText: 'hm' });
    expect(await answer(sample('<think>hm'))).toMatchObject({ text: '', unclosedThinking: true });
  });

  it('answers nothing to a conversation without a user', async () => {
    expect(await answer(sample('', {}, { messages: [{ role: 'system', content: 'x' }] }))).toMatchObject({ text: '', completionTokens: 0 });
  });

  it('charges its tokens', async () => {
    const pricing = { kind: 'per_token' as const, input: '1', output: '2' };
    expect(await answer(sample('a b', {}, { target: { ...target, pricing } }))).toMatchObject({ usd: '0.000008', priceBasis: 'per_token' });
  });

  it('stops when aborted', async () => {
    const abort = new AbortController();
    let seen = 0;
    for await (const _ of new EchoGenerator().generate([sample('a'), sample('b'), sample('c')], abort.signal)) {
      if (++seen === 2) abort.abort();
    }
    expect(seen).toBe(2);
  });
});
