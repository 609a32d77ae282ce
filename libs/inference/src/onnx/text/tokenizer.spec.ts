import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tokenizer } from './tokenizer.js';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../../models/tiny-arith/${name}`, import.meta.url), 'utf8')) as object;
const tiny = new Tokenizer({ tokenizer: read('tokenizer.json'), config: read('tokenizer_config.json') });

/** A SentencePiece-like vocabulary: spaces as ▁, bytes as fallback, the first space stripped. */
const pieces = ['<unk>', '</s>', '▁', 'a', '▁a', 'b', '<0xC3>', '<0xA9>', '<0xF0>'];
const metaspace = new Tokenizer({
  tokenizer: {
    added_tokens: [{ id: 1, content: '</s>', special: true }],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      byte_fallback: true,
      fuse_unk: true,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      merges: [['▁', 'a']],
    },
  },
  config: {},
});

function stream(tokenizer: Tokenizer, ids: number[]): string[] {
  const decoding = tokenizer.stream();
  return [...ids.map((id) => decoding.push(id)), decoding.flush()].map((bytes) => Buffer.from(bytes).toString());
}

describe('Tokenizer', () => {
  it('recognises special tokens and adds none', () => {
    expect(tiny.encode('<|im_start|>user\n')[0]).toBe(1);
    expect(tiny.encode('a')).toHaveLength(1);
  });

  it('has nothing to say about nothing', () => {
    expect(tiny.encode('')).toEqual([]);
    expect(tiny.decode([])).toBe('');
    expect(metaspace.decode([])).toBe('');
  });

  it('round-trips any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!text.includes('<|'));
        const ids = tiny.encode(text);
        expect(tiny.decode(ids)).toBe(text);
        expect(stream(tiny, ids).join('')).toSatisfy((joined: string) => joined.includes('\ufffd') || joined === text);
      }),
    );
  });
});

describe('a stream of byte-level tokens', () => {
  it('has the exact bytes of every token, broken characters included', () => {
    const ids = tiny.encode('é🙂<think>');
    const decoding = tiny.stream();
    const bytes = Buffer.concat(ids.map((id) => decoding.push(id)));
    expect(bytes.toString()).toBe('é🙂<think>');
    expect(tiny.stream().push(ids[0]!)).toHaveLength(1);
  });

  it('writes nothing for an id that is not in the vocabulary', () => {
    expect(tiny.stream().push(100_000)).toHaveLength(0);
  });
});

describe('a stream of other tokens', () => {
  it('keeps spaces between tokens and strips only the first', () => {
    expect(stream(metaspace, [4, 5, 4, 2, 5])).toEqual(['a', 'b', ' a', ' ', 'b', '']);
  });

  it('holds an incomplete character back', () => {
    expect(stream(metaspace, [3, 6, 7, 5])).toEqual(['a', '', 'é', 'b', '']);
    expect(stream(metaspace, [3, 8])).toEqual(['a', '', '\ufffd']);
  });
});
