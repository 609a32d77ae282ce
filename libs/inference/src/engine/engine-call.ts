import { type FrozenTarget } from '@kiln/contracts';
import { type SampleError, type SampleRequest, type SampleResult } from '../generator.js';
import { ResultChannel } from '../result-channel.js';

interface CallEvents {
  signal: AbortSignal;
  /** The consumer has taken a result. */
  onTaken: () => void;
  /** The signal aborted, or the consumer reads no further. */
  onCancel: () => void;
  /** Nothing more comes of it. */
  onEnd: () => void;
}

/**
 * One `generate` of the supervisor's: what was not sent yet, what the child holds, what the consumer has not taken. A consumer that
 * falls behind holds back its own samples, so that results do not pile up.
 */
export class EngineCall {
  readonly id: number;
  readonly #channel: ResultChannel<SampleResult>;
  readonly #events: CallEvents;
  readonly #outstanding = new Map<string, { sentAt: number; deadlineMs: number }>();
  #queue: readonly SampleRequest[];
  #head = 0;
  #untaken = 0;

  constructor(id: number, samples: readonly SampleRequest[], events: CallEvents) {
    this.id = id;
    this.#queue = samples;
    this.#events = events;
    this.#channel = new ResultChannel({
      onTaken: () => {
        this.#untaken--;
        events.onTaken();
      },
      onAbandoned: events.onCancel,
    });
    events.signal.addEventListener('abort', events.onCancel, { once: true });
  }

  get results(): AsyncIterable<SampleResult> {
    return this.#channel;
  }

  /** Targets of what was not sent yet. */
  get unsentTargets(): ReadonlySet<FrozenTarget> {
    return new Set(this.#unsent.map(({ target }) => target));
  }

  /** Ids of the samples that the child holds. */
  get inFlight(): string[] {
    return [...this.#outstanding.keys()];
  }

  /** Number of samples that the child holds. */
  get outstanding(): number {
    return this.#outstanding.size;
  }

  /** Every sample has its result. */
  get isComplete(): boolean {
    return this.#head === this.#queue.length && this.#outstanding.size === 0;
  }

  get isEnded(): boolean {
    return this.#channel.isEnded;
  }

  /** The next sample to send, or null: none is left, or `window` samples are sent and not taken. `now`: `performance.now()`. */
  takeNext(window: number, now: number): SampleRequest | null {
    const sample = this.#queue[this.#head];
    if (sample === undefined || this.#outstanding.size + this.#untaken >= window) return null;
    this.#head++;
    this.#outstanding.set(sample.id, { sentAt: now, deadlineMs: sample.deadlineMs });
    return sample;
  }

  /** Passes a result on, unless it belongs to no sample that the child holds. */
  deliver(result: SampleResult): void {
    if (!this.#outstanding.delete(result.id)) return;
    this.#untaken++;
    this.#channel.push(result);
  }

  /** Ends the samples of a target that cannot be loaded. */
  failUnsent(target: FrozenTarget, error: SampleError): void {
    const failed = this.#unsent.filter((sample) => sample.target === target);
    this.#queue = this.#unsent.filter((sample) => sample.target !== target);
    this.#head = 0;
    for (const { id } of failed) {
      this.#untaken++;
      this.#channel.push({ id, ok: false, error });
    }
  }

  get #unsent(): readonly SampleRequest[] {
    return this.#queue.slice(this.#head);
  }

  end(): void {
    this.#events.signal.removeEventListener('abort', this.#events.onCancel);
    this.#channel.end();
    this.#events.onEnd();
  }

  fail(error: unknown): void {
    this.#channel.fail(error);
    this.end();
  }

  /** Whether a sample's deadline and `graceMs` have passed since it was sent and since `lastHeardAt`. */
  isOverdue(now: number, lastHeardAt: number, graceMs: number): boolean {
    for (const { sentAt, deadlineMs } of this.#outstanding.values()) {
      if (now - Math.max(sentAt, lastHeardAt) > deadlineMs + graceMs) return true;
    }
    return false;
  }
}
