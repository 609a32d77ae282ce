import { type RunRecord, recordProcess, removeRunRecord, writeRunRecord } from './run-record.js';

type Change = Partial<Omit<RunRecord, 'processes' | 'pid' | 'started_at'>> & {
  readonly processes?: readonly { readonly name: string; readonly pid: number | null }[];
};

/** Keeps `run.json` true while a stack runs. Updates are written one after the other. */
export class RunReporter {
  #record: RunRecord;
  #writing: Promise<void> = Promise.resolve();
  #removed = false;

  constructor(readonly file: string) {
    this.#record = {
      pid: process.pid,
      state: 'starting',
      url: '',
      port: 0,
      postgres_port: null,
      processes: [],
      started_at: new Date().toISOString(),
    };
  }

  update(change: Change): Promise<void> {
    return this.#after(async () => {
      const { processes, ...rest } = change;
      const recorded = processes === undefined ? this.#record.processes : await this.#recordAll(processes);
      this.#record = { ...this.#record, ...rest, processes: recorded };
      if (!this.#removed) await writeRunRecord(this.file, this.#record);
    });
  }

  remove(): Promise<void> {
    this.#removed = true;
    return this.#after(() => removeRunRecord(this.file));
  }

  async #recordAll(processes: NonNullable<Change['processes']>): Promise<RunRecord['processes']> {
    const recorded = await Promise.all(processes.map(({ name, pid }) => recordProcess(name, pid)));
    return recorded.filter((entry) => entry !== null);
  }

  #after(work: () => Promise<void>): Promise<void> {
    // A failed write (a full disk) must not stop the ones after it.
    this.#writing = this.#writing.catch(() => undefined).then(work);
    return this.#writing;
  }
}
