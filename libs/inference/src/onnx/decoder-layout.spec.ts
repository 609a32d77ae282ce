import { describe, expect, it } from 'vitest';
import { detectDecoderLayout, type Port, UnsupportedModelError } from './decoder-layout.js';

const port = (name: string, type: string, ...shape: (number | string)[]): Port => ({ name, type, shape });
const IDS = port('input_ids', 'int64', 'b', 's');
const MASK = port('attention_mask', 'int64', 'b', 't');
const cacheIn = (layer: number, type = 'float32') =>
  ['key', 'value'].map((side) => port(`past_key_values.${layer}.${side}`, type, 'b', 2, 'p', 32));
const cacheOut = (layer: number, type = 'float32') =>
  ['key', 'value'].map((side) => port(`present.${layer}.${side}`, type, 'b', 2, 't', 32));
const LOGITS = port('logits', 'float32', 'b', 's', 512);

describe('detectDecoderLayout', () => {
  it('pairs the cache and finds optional inputs', () => {
    const layout = detectDecoderLayout(
      [IDS, MASK, port('position_ids', 'int64', 'b', 's'), ...cacheIn(0), ...cacheIn(1), port('num_logits_to_keep', 'int64')],
      [LOGITS, ...cacheOut(1), ...cacheOut(0)],
    );
    expect(layout).toMatchObject({
      cacheType: 'float32',
      logitsType: 'float32',
      attentionMask: true,
      positionIds: true,
      logitsToKeep: { name: 'num_logits_to_keep', shape: [] },
    });
    expect(layout.cache.map(({ past, present }) => `${past} <- ${present}`)).toEqual([
      'past_key_values.0.key <- present.0.key',
      'past_key_values.0.value <- present.0.value',
      'past_key_values.1.key <- present.1.key',
      'past_key_values.1.value <- present.1.value',
    ]);
    expect(layout.cache[0]).toMatchObject({ heads: 2, headSize: 32 });
  });

  it('accepts float16 caches and graphs with few inputs', () => {
    expect(detectDecoderLayout([IDS, ...cacheIn(0, 'float16')], [{ ...LOGITS, type: 'float16' }, ...cacheOut(0, 'float16')])).toMatchObject(
      {
        cacheType: 'float16',
        logitsType: 'float16',
        attentionMask: false,
        positionIds: false,
        logitsToKeep: null,
      },
    );
  });

  it.each([
    ['no cache', [IDS, MASK], [LOGITS], /no past_key_values/],
    ['a cache that is not returned', [IDS, ...cacheIn(0)], [LOGITS], /past_key_values\.0\.key has no output/],
    ['recurrent state', [IDS, ...cacheIn(0), port('past_conv.1', 'float32', 'b', 8)], [LOGITS, ...cacheOut(0)], /past_conv\.1/],
    [
      'three-dimensional positions',
      [IDS, ...cacheIn(0), port('position_ids', 'int64', 3, 'b', 's')],
      [LOGITS, ...cacheOut(0)],
      /position_ids/,
    ],
    ['an encoder', [port('pixel_values', 'float32', 'b')], [LOGITS], /pixel_values/],
    ['a merged decoder', [IDS, ...cacheIn(0), port('use_cache_branch', 'bool', 1)], [LOGITS, ...cacheOut(0)], /use_cache_branch/],
    ['no logits', [IDS, ...cacheIn(0)], cacheOut(0), /no logits/],
    ['a cache of another rank', [IDS, port('past_key_values.0.key', 'float32', 'b', 'p', 64)], [LOGITS, ...cacheOut(0)], /is not \[batch/],
    ['a cache of another type', [IDS, ...cacheIn(0, 'bfloat16')], [LOGITS, ...cacheOut(0)], /bfloat16/],
  ])('refuses %s', (_, inputs, outputs, message) => {
    expect(() => detectDecoderLayout(inputs, outputs)).toThrow(message);
    expect(() => detectDecoderLayout(inputs, outputs)).toThrow(UnsupportedModelError);
  });
});
