import { type DecodeRules } from './decode-rules.js';
import { type PrefixDonor, reusableTokens } from './prompt-chunks.js';

/** What one slot holds of a prompt. What was generated behind it is not listed: a step computes it in another way than a prompt. */
export interface SlotContent extends PrefixDonor {
  /** Keys and values depend on the adapter, too. */
  readonly adapter: string | null;
  readonly tokens: readonly number[];
  /** When it was last used: a count that only grows. */
  readonly usedAt: number;
}

export interface PrefixPlan {
  /** The slot to copy from; may be the new row's own. */
  readonly donor: number;
  /** Tokens that need not be read. */
  readonly tokens: number;
}

const EMPTY: SlotContent = { adapter: null, tokens: [], read: 0, total: 0, stateAt: null, usedAt: 0 };

/** What is in the slots, live ones and those that were given up lately. Knows no tensors. */
export class SlotTable {
  readonly #contents: SlotContent[];
  #clock = 0;

  constructor(slots: number) {
    this.#contents = Array.from({ length: slots }, () => EMPTY);
  }

  get slots(): number {
    return this.#contents.length;
  }

  content(slot: number): SlotContent {
    return this.#contents[slot]!;
  }

  /** The slot with the longest prefix of `prompt` that may be reused; null when none has any. Ties: the prompt's own slot, then the lowest. */
  findPrefix(prompt: readonly number[], adapter: string | null, own: number, rules: DecodeRules, hasLogits: boolean): PrefixPlan | null {
    let best: PrefixPlan | null = null;
    const slots = [own, ...this.#contents.keys()];
    for (const slot of slots) {
      const content = this.#contents[slot]!;
      if (content.adapter !== adapter || content.read === 0) continue;
      const common = commonPrefix(content.tokens, prompt, content.read);
      const tokens = reusableTokens(common, content, prompt.length, rules, hasLogits);
      if (tokens > (best?.tokens ?? 0)) best = { donor: slot, tokens };
    }
    return best;
  }

  /** Among the slots from `first` on, the one that was not used for the longest time. */
  leastRecentlyUsed(first: number): number {
    let oldest = first;
    for (let slot = first + 1; slot < this.slots; slot++) if (this.content(slot).usedAt < this.content(oldest).usedAt) oldest = slot;
    return oldest;
  }

  /** The slot is to hold `tokens`, of which `read` are there already. */
  begin(slot: number, content: Pick<SlotContent, 'adapter' | 'tokens' | 'read' | 'stateAt'>): void {
    this.#contents[slot] = { ...content, total: content.tokens.length, usedAt: ++this.#clock };
  }

  /** More of its tokens are there. */
  advance(slot: number, { read, stateAt }: Pick<SlotContent, 'read' | 'stateAt'>): void {
    this.#contents[slot] = { ...this.content(slot), read, stateAt, usedAt: ++this.#clock };
  }

  /** Another row begins on what it holds. */
  touch(slot: number): void {
    this.#contents[slot] = { ...this.content(slot), usedAt: ++this.#clock };
  }

  /** The content of `from` is in `to`, too, and what was there is gone. */
  copy(from: number, to: number): void {
    this.#contents[to] = this.content(from);
  }
}

function commonPrefix(a: readonly number[], b: readonly number[], limit: number): number {
  const end = Math.min(a.length, b.length, limit);
  let length = 0;
  while (length < end && a[length] === b[length]) length++;
  return length;
}
