import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { byteLevelTokens } from './byte-level-tokens.js';
import { ByteTokenStream, TextTokenStream, type TokenStream } from './token-stream.js';

/** Text to token ids and back, as `tokenizer.json` and `tokenizer_config.json` say. */
export class Tokenizer {
  readonly #tokenizer: HuggingFaceTokenizer;
  /** What each token writes, for byte-level vocabularies. */
  readonly #bytes: readonly (Uint8Array | undefined)[] | null;

  /** @param files the parsed JSON of the two files. @throws when the tokenizer is of an unsupported kind. */
  constructor(files: { tokenizer: object; config: object }) {
    this.#tokenizer = new HuggingFaceTokenizer(files.tokenizer, { ...files.config, clean_up_tokenization_spaces: false });
    this.#bytes = byteLevelTokens(files.tokenizer);
  }

  /** Token ids of rendered text. Special tokens written in the text are recognised; none are added. */
  encode(text: string): number[] {
    return text === '' ? [] : this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  /** Text of token ids, special tokens included. */
  decode(ids: readonly number[]): string {
    // The library throws on an empty list.
    return ids.length === 0 ? '' : this.#tokenizer.decode([...ids], { skip_special_tokens: false });
  }

  /** Decodes one completion as its tokens arrive. */
  stream(): TokenStream {
    return this.#bytes === null ? new TextTokenStream((ids) => this.decode(ids)) : new ByteTokenStream(this.#bytes);
  }
}
