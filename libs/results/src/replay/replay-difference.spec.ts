import { ReplayDifference } from '@kiln/contracts';
import { type ReplayRow } from '@kiln/database';
import { encodeTokenIds } from '@kiln/provenance';
import { describe, expect, it } from 'vitest';
import { replayDifference } from './replay-difference.js';

interface Made {
  raw?: string;
  answerStart?: number;
  /** Ids, stored bytes that are none, or null where nobody knows them. */
  tokens?: number[] | Buffer | null;
}

function completion({ raw = 'hm 42', answerStart = 3, tokens = [7, 300, 2] }: Made = {}): ReplayRow {
  const bytes = Buffer.from(raw);
  return {
    ordinal: 4,
    completionIndex: 1,
    exampleKey: 'sum-4',
    exampleGeneration: null,
    scorerId: 1,
    kind: 'pass',
    errorCode: null,
    errorMessage: null,
    trace: {
      raw: bytes,
      tokenIds: Array.isArray(tokens) ? Buffer.from(encodeTokenIds(tokens)) : tokens,
      answerStart,
      answerEnd: bytes.byteLength,
      reasoningStart: null,
      reasoningEnd: null,
      unclosedThinking: false,
      steps: null,
      provenanceId: 1,
      endedByTime: false,
      timeUpAt: null,
    },
  };
}

const between = (expected: Made, actual: Made) => replayDifference(completion(expected), completion(actual), 9);

describe('replayDifference', () => {
  it('finds none between equal completions, with tokens and without', () => {
    expect(between({}, {})).toBeNull();
    expect(between({ tokens: null }, { tokens: null })).toBeNull();
  });

  it('names the token, and the byte around which its text stands', () => {
    const difference = between({}, { raw: 'hm 43', tokens: [7, 301, 2] });
    expect(ReplayDifference.parse(difference)).toEqual({
      outcome_index: 9,
      raw_completion_pointer: '/outcomes/9/raw_completion_text',
      example_id: 'sum-4',
      completion_index: 1,
      form: 'raw',
      token: 1,
      expected_token: 300,
      actual_token: 301,
      expected_tokens: [7, 300, 2],
      actual_tokens: [7, 301, 2],
      byte: 4,
      expected_byte: 0x32,
      actual_byte: 0x33,
      expected_context: 'hm 42',
      actual_context: 'hm 43',
    });
  });

  it.each([
    ['in the middle', [7, 5, 2], { token: 1, expected_token: 300, actual_token: 5 }],
    ['where the replay ends', [7, 300], { token: 2, expected_token: 2, actual_token: null }],
    ['behind the end of the source', [7, 300, 2, 2], { token: 3, expected_token: null, actual_token: 2 }],
  ])('says that tokens differ %s, though they come to the same bytes', (_where, tokens, token) => {
    const difference = ReplayDifference.parse(between({}, { tokens }));
    expect(difference).toMatchObject({ form: 'tokens', ...token, byte: null, expected_context: null, actual_context: null });
  });

  it('names no token where the same ones have other bytes, or one side has none', () => {
    const noToken = { form: 'raw', token: null, expected_tokens: null, byte: 4, actual_context: 'hm 43' };
    expect(between({}, { raw: 'hm 43' })).toMatchObject(noToken);
    expect(between({ tokens: null }, { raw: 'hm 43' })).toMatchObject(noToken);
    expect(between({}, { raw: 'hm 43', tokens: null })).toMatchObject(noToken);
    expect(between({}, { tokens: null })).toBeNull();
  });

  it('compares what is scored last', () => {
    const scored = { token: null, byte: 0, expected_context: '42', actual_context: 'hm 42' };
    expect(between({}, { answerStart: 0 })).toMatchObject({ form: 'normalized', ...scored });
    expect(between({}, { answerStart: 0, tokens: [1] })).toMatchObject({ form: 'tokens', token: 0, byte: null });
  });

  it('does not guess what damaged ids were', () => {
    const tokens = Buffer.of(0x80);
    expect(between({ tokens }, {})).toBe('damaged');
    expect(between({}, { tokens })).toBe('damaged');
  });
});
