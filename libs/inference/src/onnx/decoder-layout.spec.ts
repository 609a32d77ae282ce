import { describe, expect, it } from 'vitest';
import { detectDecoderLayout, type Port, UnsupportedModelError } from './decoder-layout.js';
import { type GraphOperators } from './graph-operators.js';
import { PortNames } from './port-names.js';

const PLAIN: GraphOperators = {
  attention: 'plain',
  inPlacePairs: new Map(),
  quantisation: null,
  rowsInteract: false,
  rotaryPositions: null,
};
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
      PLAIN,
    );
    expect(layout).toMatchObject({
      inputIds: { name: 'input_ids', type: 'int64' },
      logits: { name: 'logits', type: 'float32', vocabulary: 512 },
      cacheType: 'float32',
      attentionMask: { name: 'attention_mask', type: 'int64' },
      positionIds: { name: 'position_ids', type: 'int64', planes: null },
      logitsToKeep: { name: 'num_logits_to_keep', type: 'int64', shape: [] },
      states: [],
      sharesBuffer: false,
      needsExactPrefill: false,
    });
    expect(layout.cache.map(({ past, present }) => `${past} <- ${present}`)).toEqual([
      'past_key_values.0.key <- present.0.key',
      'past_key_values.0.value <- present.0.value',
      'past_key_values.1.key <- present.1.key',
      'past_key_values.1.value <- present.1.value',
    ]);
    expect(layout.cache[1]).toMatchObject({ layer: 0, side: 'value', heads: 2, headSize: 32, type: 'float32', inPlace: false });
  });

  it('accepts float16 caches, 32-bit tokens and graphs with few inputs', () => {
    const ids = port('input_ids', 'int32', 'b', 's');
    const outputs = [{ ...LOGITS, type: 'float16' }, ...cacheOut(0, 'float16')];
    expect(detectDecoderLayout([ids, ...cacheIn(0, 'float16')], outputs, PLAIN)).toMatchObject({
      inputIds: { type: 'int32' },
      cacheType: 'float16',
      logits: { type: 'float16' },
      attentionMask: null,
      positionIds: null,
      logitsToKeep: null,
    });
  });

  it('shares a buffer only where one operator takes and returns the whole cache', () => {
    const pairs = ['key', 'value'].map((side): [string, string] => [`past_key_values.0.${side}`, `present.0.${side}`]);
    const detect = (inPlacePairs: GraphOperators['inPlacePairs']) =>
      detectDecoderLayout([IDS, ...cacheIn(0)], [LOGITS, ...cacheOut(0)], { ...PLAIN, attention: 'gqa', inPlacePairs });
    expect(detect(new Map(pairs)).sharesBuffer).toBe(true);
    expect(detect(new Map(pairs.slice(0, 1))).sharesBuffer).toBe(false);
    expect(detect(new Map([pairs[0]!, ['past_key_values.0.value', 'converted']])).sharesBuffer).toBe(false);
  });

  it.each([
    ['past_conv.1', 'present_conv.1', 'past_recurrent.1', 'present_recurrent.1'],
    ['past_key_values.1.conv_state', 'present.1.conv_state', 'past_key_values.1.recurrent_state', 'present.1.recurrent_state'],
    ['past.1.conv', 'present.1.conv', 'past.1.recurrent', 'present.1.recurrent'],
    ['past_conv_states.1', 'present_conv_states.1', 'past_ssm.1', 'present_ssm.1'],
  ])('pairs state named %s', (convIn, convOut, recurrentIn, recurrentOut) => {
    const inputs = [IDS, port('position_ids', 'int64', 3, 'b', 's'), ...cacheIn(0)];
    const layout = detectDecoderLayout(
      [...inputs, port(convIn, 'float32', 'b', 48, 3), port(recurrentIn, 'float16', 'b', 2, 8, 8)],
      [LOGITS, ...cacheOut(0), port(convOut, 'float32', 'b', 48, 3), port(recurrentOut, 'float16', 'b', 2, 8, 8)],
      PLAIN,
    );
    expect(layout.states).toEqual([
      { past: convIn, present: convOut, layer: 1, kind: 'convolution', shape: [48, 3], type: 'float32' },
      { past: recurrentIn, present: recurrentOut, layer: 1, kind: 'recurrent', shape: [2, 8, 8], type: 'float16' },
    ]);
    expect(layout).toMatchObject({ needsExactPrefill: true, positionIds: { planes: 3 } });
  });

  it('takes names that a configuration states', () => {
    const names = new PortNames({ inputIds: 'tokens', logits: 'scores' }, [
      { pattern: 'k(%d)', time: 'past', kind: 'key' },
      { pattern: 'k_out(%d)', time: 'present', kind: 'key' },
    ]);
    const layout = detectDecoderLayout(
      [{ ...IDS, name: 'tokens' }, port('k(11)', 'float32', 'b', 2, 'p', 32)],
      [{ ...LOGITS, name: 'scores' }, port('k_out(11)', 'float32', 'b', 2, 't', 32)],
      PLAIN,
      names,
    );
    expect(layout).toMatchObject({
      inputIds: { name: 'tokens' },
      logits: { name: 'scores' },
      cache: [{ layer: 11, present: 'k_out(11)' }],
    });
  });

  it.each<[string, Port[], Port[], RegExp]>([
    ['no cache', [IDS, MASK], [LOGITS], /no past_key_values/],
    ['no tokens', [MASK, ...cacheIn(0)], [LOGITS, ...cacheOut(0)], /no input_ids/],
    ['a cache that is not returned', [IDS, ...cacheIn(0)], [LOGITS], /past_key_values\.0\.key has no output/],
    [
      'state without a fixed size',
      [IDS, port('past_conv.1', 'float32', 'b', 'c')],
      [LOGITS, port('present_conv.1', 'float32')],
      /past_conv\.1/,
    ],
    ['state of one row only', [IDS, port('past_conv.1', 'float32', 1, 8)], [LOGITS, port('present_conv.1', 'float32', 1, 8)], /free batch/],
    ['positions of another rank', [IDS, ...cacheIn(0), port('position_ids', 'int64', 's')], [LOGITS, ...cacheOut(0)], /position_ids/],
    ['an encoder-decoder', [port('encoder_hidden_states', 'float32', 'b')], [LOGITS], /encoder-decoder/],
    [
      'a split model',
      [port('inputs_embeds', 'float32', 'b', 's', 64), ...cacheIn(0)],
      [LOGITS, ...cacheOut(0)],
      /embed_tokens and a decoder/,
    ],
    ['images', [port('pixel_values', 'float32', 'b')], [LOGITS], /images or sound/],
    ['paged attention', [IDS, port('block_table', 'int32', 'b', 'n')], [LOGITS], /paged attention/],
    ['a merged decoder', [IDS, ...cacheIn(0), port('use_cache_branch', 'bool', 1)], [LOGITS, ...cacheOut(0)], /use_cache_branch/],
    ['beam search', [IDS, ...cacheIn(0), port('cache_indirection', 'int32', 'b')], [LOGITS, ...cacheOut(0)], /beam search/],
    ['an unknown input', [IDS, ...cacheIn(0), port('adapter_index', 'int64', 'b')], [LOGITS, ...cacheOut(0)], /adapter_index \[b\] is not/],
    ['no logits', [IDS, ...cacheIn(0)], cacheOut(0), /no logits/],
    ['logits of another rank', [IDS, ...cacheIn(0)], [port('logits', 'float32', 'b', 512), ...cacheOut(0)], /are not \[batch, positions/],
    ['a mask of another rank', [IDS, port('attention_mask', 'int64', 'b', 1, 's', 't')], [LOGITS], /attention_mask .* is not \[batch/],
    ['tokens of another type', [port('input_ids', 'float32', 'b', 's')], [LOGITS], /of type float32/],
    ['a cache of another rank', [IDS, port('past_key_values.0.key', 'float32', 'b', 'p', 64)], [LOGITS, ...cacheOut(0)], /is not \[batch/],
    ['a cache of fixed length', [IDS, port('past_key_values.0.key', 'float32', 'b', 2, 512, 64)], [LOGITS, ...cacheOut(0)], /fixed batch/],
    ['a cache of another type', [IDS, ...cacheIn(0, 'int8')], [LOGITS, ...cacheOut(0, 'int8')], /of type int8/],
    ['a cache that changes its type', [IDS, ...cacheIn(0)], [LOGITS, ...cacheOut(0, 'float16')], /present\.0\.key is float16/],
    [
      'caches of two types',
      [IDS, ...cacheIn(0), ...cacheIn(1, 'float16')],
      [LOGITS, ...cacheOut(0), ...cacheOut(1, 'float16')],
      /different types/,
    ],
  ])('refuses %s', (_, inputs, outputs, message) => {
    expect(() => detectDecoderLayout(inputs, outputs, PLAIN)).toThrow(message);
    expect(() => detectDecoderLayout(inputs, outputs, PLAIN)).toThrow(UnsupportedModelError);
  });
});
