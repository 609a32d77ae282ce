/** Turns the tokens of one completion into bytes as they arrive. */
export interface TokenStream {
  /** The bytes that this token adds; empty while a character is incomplete. */
  push(token: number): Uint8Array;
  /** What was still held back at the end. */
  flush(): Uint8Array;
}

const EMPTY = new Uint8Array(0);
const REPLACEMENT = '\ufffd';

/** For vocabularies where every token is a fixed sequence of bytes. */
export class ByteTokenStream implements TokenStream {
  readonly #bytes: readonly (Uint8Array | undefined)[];

  constructor(bytes: readonly (Uint8Array | undefined)[]) {
    this.#bytes = bytes;
  }

  push(token: number): Uint8Array {
    return this.#bytes[token] ?? EMPTY;
  }

  flush(): Uint8Array {
    return EMPTY;
  }
}

/**
 * For other vocabularies, whose decoders look at neighbouring tokens (spaces, byte fallback). Decodes a short window twice, without
 * and with the new token, and passes on the difference; while it ends in U+FFFD a character may be incomplete.
 */
export class TextTokenStream implements TokenStream {
  readonly #decode: (tokens: readonly number[]) => string;
  #tokens: number[] = [];
  /** The window begins here: far enough back that the decoder sees what it needs. */
  #windowStart = 0;
  /** Tokens before this have been passed on. */
  #passed = 0;

  constructor(decode: (tokens: readonly number[]) => string) {
    this.#decode = decode;
  }

  push(token: number): Uint8Array {
    this.#tokens.push(token);
    const addition = this.#addition();
    if (addition === '' || addition.endsWith(REPLACEMENT)) return EMPTY;
    this.#windowStart = this.#passed;
    this.#passed = this.#tokens.length;
    return Buffer.from(addition);
  }

  flush(): Uint8Array {
    const addition = this.#addition();
    this.#passed = this.#tokens.length;
    return Buffer.from(addition);
  }

  #addition(): string {
    const before = this.#decode(this.#tokens.slice(this.#windowStart, this.#passed));
    return this.#decode(this.#tokens.slice(this.#windowStart)).slice(before.length);
  }
}
