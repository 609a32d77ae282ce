import { describe, expect, it } from 'vitest';
import { readUsage } from './usage.js';

describe('readUsage', () => {
  it.each([
    [
      'OpenAI: cached inside prompt',
      { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } },
      [40, 60, 0, 5],
    ],
    ['DeepSeek', { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 60 }, [40, 60, 0, 5]],
    [
      'Anthropic: cached beside input',
      { input_tokens: 2000, cache_read_input_tokens: 8000, cache_creation_input_tokens: 10, output_tokens: 500 },
      [2000, 8000, 10, 500],
    ],
    ['plain', { prompt_tokens: 7, completion_tokens: 2 }, [7, 0, 0, 2]],
    ['more cached than there is', { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 9 } }, [0, 7, 0, 2]],
    ['nonsense in details', { prompt_tokens: 7, completion_tokens: null, prompt_tokens_details: null }, [7, 0, 0, 0]],
  ])('%s', (_, usage, [input, cachedInput, cacheWrite, output]) => {
    expect(readUsage(usage)).toEqual({ input, cachedInput, cacheWrite, output });
  });

  it.each([undefined, null, {}, 'x', { prompt_tokens: -1 }, { prompt_tokens: '5' }])('%j reports nothing', (usage) => {
    expect(readUsage(usage)).toBeNull();
  });
});
