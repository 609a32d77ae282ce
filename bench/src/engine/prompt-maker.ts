import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Tokenizer } from '@kiln/inference/testing';
import { type BenchPrompt } from './completion-request.js';

/** What the chat template of the models puts around the only message. */
const HEAD = '<|im_start|>user\n';
const TAIL = '<|im_end|>\n<|im_start|>assistant\n';

/** Writes prompts of an exact number of tokens, for models with the tokenizer of `tiny-arith`. */
export class PromptMaker {
  readonly #tokenizer: Tokenizer;
  /** Words of one token each. */
  readonly #words: readonly string[];

  private constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#words = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => ` ${letter}`).filter((word) => tokenizer.encode(word).length === 1);
  }

  static async of(modelPath: string): Promise<PromptMaker> {
    const [tokenizer, config] = await Promise.all(
      ['tokenizer.json', 'tokenizer_config.json'].map(
        async (file) => JSON.parse(await readFile(path.join(modelPath, file), 'utf8')) as object,
      ),
    );
    return new PromptMaker(new Tokenizer({ tokenizer: tokenizer!, config: config! }));
  }

  /**
   * `count` different prompts of `length` tokens of which the first `shared` are the same. Another `seed`, other prompts: nothing that
   * was kept of earlier ones can help.
   */
  prompts(count: number, length: number, shared: number, seed: number): BenchPrompt[] {
    const around = [HEAD, TAIL].map((text) => this.#tokenizer.encode(text).length);
    const [common, own] = [shared - around[0]!, length - shared - around[1]!];
    if (common < 0 || own < 1)
      throw new RangeError(`prompts of ${length} tokens, ${shared} of them shared, leave no room for the template`);
    const draw = randomOf(seed);
    const words = (size: number): string => Array.from({ length: size }, () => this.#words[draw(this.#words.length)]!).join('');
    const start = words(common);
    return Array.from({ length: count }, () => {
      const text = start + words(own);
      const tokens = this.#tokenizer.encode(HEAD + text + TAIL);
      if (tokens.length !== length) throw new Error(`a prompt came to ${tokens.length} tokens, not ${length}`);
      return { text, tokens };
    });
  }
}

/** Whole numbers below a bound (mulberry32). */
function randomOf(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
