import { type ModelCheck, type ModelsCheck } from '@kiln/inference';
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../terminal/style.js';
import { modelCheckLines } from './model-check-lines.js';

const step = (rows: number) => ({ rows, first: 'a', last: 'a' });
const MODEL: ModelCheck = {
  model: 'tiny',
  adapter: 'math',
  modelDigest: 'sha256:1',
  tokenizerDigest: 'sha256:2',
  templateDigest: 'sha256:3',
  adapterDigest: 'sha256:4',
  adapters: ['math', 'other'],
  contextTokens: 4096,
  layout: {
    graph: 'onnx/model_q4.onnx',
    weightBytes: 3_559_308,
    attention: 'GroupQueryAttention',
    quantisation: '4 bits in blocks, accuracy 4',
    cacheType: 'float16',
    cacheBytesPerToken: 114_688,
    cacheInPlace: true,
    stateLayers: 0,
  },
  probe: {
    minRows: 2,
    maxRows: null,
    adapterMinRows: 2,
    exactPrefill: false,
    flaws: [],
    measured: {
      finite: true,
      repeated: true,
      padding: true,
      width: null,
      neighbours: true,
      chunks: true,
      lastTokenAlone: false,
      steps: [step(1), step(2), step(32)],
      adapter: { rankZero: true, steps: [step(1)] },
    },
  },
  rules: null,
  answer: { prompt: 'What is 12 + 30?', text: '42\u001b[2J', tokens: 3, backend: 'ort-c', backendsEqual: true },
  speed: [{ rows: 8, context: 256, tokensPerS: 1234.5, limitTokensPerS: 2469, bound: 'bandwidth' }],
  flaws: [],
};
const MACHINE = { processor: 'A processor', threads: 1, clock: 'cpu', bytesPerS: 24.04e9, flopsPerS: 9.5e10 } as const;
const CHECK: ModelsCheck = { machine: MACHINE, models: [MODEL], rejected: [], ok: true };

const lines = (check: Partial<ModelsCheck>) => modelCheckLines({ ...CHECK, ...check }, PLAIN);
const linesOf = (model: Partial<ModelCheck>) => lines({ models: [{ ...MODEL, ...model }] });

describe('modelCheckLines', () => {
  it('shows everything about a model, and text of the model as text', () => {
    expect(lines({})).toEqual([
      'tiny+math can be served',
      '  model         sha256:1',
      '  tokenizer     sha256:2',
      '  template      sha256:3',
      '  adapter       sha256:4',
      '  graph         onnx/model_q4.onnx, 3.6 MB, 4 bits in blocks, accuracy 4',
      '  attention     GroupQueryAttention',
      '  cache         float16, 114,688 bytes a token, in place',
      '  context       4,096 tokens',
      '  adapters      math, other',
      '  same bits     twice yes, padding yes, width –, neighbours yes',
      '  prompts       in chunks yes, last token alone no: cut anywhere',
      '  rows          tried 1, 2, 32: at least 2',
      '  with adapter  rank 0 yes, at least 2 rows',
      '  asked         What is 12 + 30?',
      '  answer        42\\x1b[2J (3 tokens, ort-c; the other backend says the same)',
      '',
      '  rows  context  tokens/s  limit  reached  bound by',
      '     8      256     1,235  2,469    50.0%  bandwidth',
      '',
      'measured on A processor, 1 thread, in CPU time: 24.0 GB/s, 95.0 GFLOP/s',
    ]);
  });

  it.each([
    [0, 'GroupQueryAttention'],
    [1, 'GroupQueryAttention, 1 layer with state'],
    [18, 'GroupQueryAttention, 18 layers with state'],
  ])('of a model with %d layers with state', (stateLayers, text) => {
    expect(linesOf({ layout: { ...MODEL.layout!, stateLayers } })).toContain(`  attention     ${text}`);
  });

  it('shows what is wrong first', () => {
    const text = linesOf({ flaws: ['the same run twice gives different logits'] }).slice(0, 2);
    expect(text).toEqual(['tiny+math cannot be served', '  the same run twice gives different logits']);
  });

  it('of a model that cannot be loaded shows what is known of its files', () => {
    const text = linesOf({
      layout: null,
      probe: null,
      answer: null,
      speed: [],
      contextTokens: null,
      adapters: [],
      flaws: ['no such operator'],
    });
    expect(text.slice(2, -2)).toEqual([
      '  model      sha256:1',
      '  tokenizer  sha256:2',
      '  template   sha256:3',
      '  adapter    sha256:4',
      '  context    not stated',
      '  adapters   none',
    ]);
  });

  it('says that rows are decoded one by one, that prompts are cut alike, and that there is one backend', () => {
    const text = linesOf({
      probe: { ...MODEL.probe!, maxRows: 1, exactPrefill: true },
      answer: { ...MODEL.answer!, backend: 'ort-js', backendsEqual: null },
    }).join('\n');
    expect(text).toContain('always cut alike');
    expect(text).toContain('one at a time');
    expect(text).toContain('ort-js; there is no other backend');
  });

  it('names what is refused', () => {
    expect(lines({ models: [], machine: null, rejected: [{ path: 'a/b', reason: 'it is part of an encoder-decoder model' }] })).toEqual([
      'refused',
      '  a/b  it is part of an encoder-decoder model',
      '',
    ]);
  });

  it('says that there is nothing', () => {
    expect(lines({ models: [], machine: null })).toEqual(['no model here']);
  });
});
