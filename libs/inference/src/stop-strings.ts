const encoder = new TextEncoder();

/**
 * Watches a stream of output bytes for stop strings. Matching is on UTF-8 bytes, which is exact even while a character is
 * half written: no UTF-8 sequence occurs inside another character. The bytes that may still become a stop string are held
 * back, so that nothing of it is ever passed on.
 *
 * The stop string that is complete first wins (of two that end at the same byte, the longer), so the result does not
 * depend on how the model cut its text into tokens. Empty stop strings are ignored.
 */
export class StopStrings {
  readonly #stops: readonly Uint8Array[];
  #held: Uint8Array = new Uint8Array(0);
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '').map((stop) => encoder.encode(stop));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Takes the next bytes and returns those that are certainly output. After a stop string everything is swallowed. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#stopped) return new Uint8Array(0);
    if (this.#stops.length === 0) return bytes;
    const window = Buffer.concat([this.#held, bytes]);
    const match = firstMatch(window, this.#stops);
    if (match !== null) {
      this.#stopped = true;
      this.#held = new Uint8Array(0);
      return window.subarray(0, match);
    }
    const kept = window.length - longestPartialMatch(window, this.#stops);
    this.#held = window.subarray(kept);
    return window.subarray(0, kept);
  }

  /** The end of the output: returns what was held back. */
  flush(): Uint8Array {
    const held = this.#held;
    this.#held = new Uint8Array(0);
    return held;
  }
}

/** Where the stop string begins that is complete first, or null. */
function firstMatch(window: Buffer, stops: readonly Uint8Array[]): number | null {
  let start: number | null = null;
  let end = Infinity;
  for (const stop of stops) {
    const index = window.indexOf(stop);
    if (index < 0) continue;
    const stopEnd = index + stop.length;
    if (stopEnd < end || (stopEnd === end && index < start!)) {
      start = index;
      end = stopEnd;
    }
  }
  return start;
}

/** How many bytes at the end of `window` are the beginning of some stop string. */
function longestPartialMatch(window: Buffer, stops: readonly Uint8Array[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, window.length); length > longest; length--) {
      if (window.subarray(window.length - length).equals(stop.subarray(0, length))) longest = length;
    }
  }
  return longest;
}
