import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type JobSnapshot, listenForWakeups, readJobSnapshots, type WakeupListener } from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';

/** Wake-ups are hints that can be lost: watched jobs are looked at this often anyway. */
const LOOK_MS = 1_000;
/** A busy fleet wakes hundreds of times a second: looks are at least this far apart. */
const MIN_GAP_MS = 100;

type Watcher = (snapshot: JobSnapshot | null) => void;

/**
 * Tells who waits for a job where it is now. However many wait, the database is asked once per look for all of them, and only
 * while somebody waits.
 */
@Injectable()
export class JobWatch implements OnModuleInit, OnApplicationShutdown {
  readonly #watchers = new Map<string, Set<Watcher>>();
  #listener: WakeupListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #wokenAgain = false;
  #lastLookMs = 0;

  constructor(private readonly api: ApiDependencies) {}

  onModuleInit(): void {
    const { databaseUrl, logger } = this.api;
    const onLost = (err: Error): void => logger.warn({ err }, 'the session that listens for wake-ups was lost');
    this.#listener = listenForWakeups(databaseUrl, () => this.#wake(), onLost);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#listener?.close();
  }

  /**
   * Calls `watcher` with the job's snapshot at every look until unwatched: soon after each change, at least once a second, and
   * once at the start. Null says that the job is gone.
   *
   * @returns stops it
   */
  watch(jobId: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, watchers.add(watcher));
    this.#wake();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(jobId) === watchers) this.#watchers.delete(jobId);
    };
  }

  #wake(): void {
    if (this.#watchers.size === 0) return;
    if (this.#looking) this.#wokenAgain = true;
    else this.#schedule(Math.max(0, this.#lastLookMs + MIN_GAP_MS - performance.now()));
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delayMs);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    this.#lastLookMs = performance.now();
    try {
      await this.#tell([...this.#watchers.keys()]);
    } catch (err) {
      this.api.logger.warn({ err }, 'watched jobs could not be read; they are read again soon');
    } finally {
      this.#looking = false;
      if (this.#watchers.size > 0) this.#schedule(this.#wokenAgain ? MIN_GAP_MS : LOOK_MS);
      this.#wokenAgain = false;
    }
  }

  async #tell(jobIds: string[]): Promise<void> {
    const snapshots = new Map((await readJobSnapshots(this.api.database, jobIds)).map((snapshot) => [snapshot.id, snapshot]));
    for (const jobId of jobIds) {
      for (const watcher of this.#watchers.get(jobId) ?? []) watcher(snapshots.get(jobId) ?? null);
    }
  }
}
