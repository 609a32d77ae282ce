import { type FrozenModelTarget, type FrozenTarget, KilnError } from '@kiln/contracts';
import { targetHash } from '@kiln/provenance';
import { type FileMemo } from '../file-memo.js';
import { RunQueue } from '../ort/run-queue.js';
import { type BatchAdapter } from './decode/decode-batch.js';
import { ADAPTER_MIN_ROWS, type DecodeRules } from './decode/decode-rules.js';
import { loadModel, naming, newReader, sessionKey, verifyModel } from './load-model.js';
import { type LoadedModel } from './loaded-model.js';
import { type LoraSite } from './lora/lora-sites.js';
import { type MemoryBudget } from './memory-budget.js';
import { ModelSession, type ModelSessionOptions } from './model-session.js';
import { type PromptReader } from './prepare-prompt.js';
import { PROBE_WIDTH, probeModel } from './probe/probe-model.js';
import { type ProbeVerdict, probeVerdict } from './probe/probe-verdict.js';

export interface ModelPoolOptions extends Omit<ModelSessionOptions, 'takesAdapters'> {
  readonly modelDir: string;
  readonly budget: MemoryBudget;
  readonly memo: FileMemo;
}

/** A model that is being decoded with: neither its session nor its adapter is given up before the release. */
export interface ModelLease {
  readonly session: ModelSession;
  readonly adapter: BatchAdapter;
  readonly release: () => Promise<void>;
}

/** How a model is run here, as far as its tokens depend on it, and by what. */
export interface ModelExecution {
  readonly backend: 'ort-c' | 'ort-js';
  readonly rules: DecodeRules;
  readonly adapterMinRows: number;
}

/** What is known of a model while any of its targets is loaded. */
interface Entry {
  readonly target: FrozenModelTarget;
  readonly reader: PromptReader;
  readonly models: Map<string, LoadedModel>;
  weightBytes: number;
  session: ModelSession | null;
  /** How the last session ran the model; null before the first one. */
  execution: ModelExecution | null;
  /** Sessions that were replaced while they were in use. */
  retired: ModelSession[];
  /** Adapters in use, once for each lease. */
  readonly leases: (string | null)[];
}

/**
 * The models of one process: which targets are loaded, and whose weights are in memory. A target stays loaded until it is unloaded; weights and
 * adapters that nobody uses go when others need the room, the longest unused first, and come back when they are needed.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  /** By session key, in the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  /** Where a model belongs, also after it was unloaded: samples of it may still be in line. */
  readonly #entryOf = new WeakMap<LoadedModel, Entry>();
  /** What probes have found: a model is probed once in a process, however often its weights come and go. */
  readonly #verdicts = new Map<string, ProbeVerdict>();
  /** What is in memory changes by one task at a time. */
  readonly #turns = new RunQueue();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /** Checks the target's files and brings it into memory. @throws KilnError as `verifyModel` and `loadModel` */
  load(target: FrozenModelTarget): Promise<LoadedModel> {
    return this.#turns.add(async () => {
      const known = this.#find(target);
      if (known !== null) return known;
      const verified = await verifyModel(target, this.#options);
      const entry = this.#entries.get(sessionKey(target)) ?? {
        target,
        reader: await newReader(target, verified),
        models: new Map(),
        weightBytes: verified.weightBytes,
        session: null,
        execution: null,
        retired: [],
        leases: [],
      };
      const model = await loadModel(target, verified, entry.reader, this.#options);
      this.#entries.set(model.sessionKey, entry);
      this.#entryOf.set(model, entry);
      entry.models.set(targetHash(target), model);
      try {
        await this.#bringIn(entry, model);
      } catch (error) {
        entry.models.delete(targetHash(target));
        await this.#settle(entry, model);
        throw error;
      }
      return model;
    });
  }

  /** @throws KilnError `target_not_served` */
  get(target: FrozenTarget): LoadedModel {
    const model = this.#find(target);
    if (model === null) throw new KilnError('target_not_served', 'the target is not loaded');
    return model;
  }

  /** How a model that was loaded is run. */
  execution(model: LoadedModel): ModelExecution {
    return this.#entryOf.get(model)!.execution!;
  }

  /** Frees what only this target needs, as soon as nobody decodes with it. */
  unload(target: FrozenTarget): Promise<void> {
    return this.#turns.add(async () => {
      const model = this.#find(target);
      if (model === null) return;
      const entry = this.#entries.get(model.sessionKey)!;
      entry.models.delete(targetHash(target));
      await this.#settle(entry, model);
    });
  }

  /** Brings the model into memory, and keeps it there until the release. @throws KilnError as `load` */
  lease(model: LoadedModel): Promise<ModelLease> {
    return this.#turns.add(async () => {
      const entry = this.#entries.get(model.sessionKey) ?? this.#entryOf.get(model)!;
      try {
        const { session, adapter } = await this.#bringIn(entry, model);
        entry.leases.push(model.adapterKey);
        const giveBack = async () => {
          entry.leases.splice(entry.leases.indexOf(model.adapterKey), 1);
          await this.#settle(entry, model);
        };
        return { session, adapter, release: () => this.#turns.add(giveBack) };
      } catch (error) {
        await this.#settle(entry, model);
        throw error;
      }
    });
  }

  /** Gives up slots of other models, until they hold no more than `bytes` together. Nobody may decode with them. */
  freeSlots(session: ModelSession, bytes: number): void {
    const others = [...this.#entries.values()].map((entry) => entry.session).filter((other) => other !== null && other !== session);
    let held = others.reduce((sum, other) => sum + other!.batchBytes, 0);
    for (const other of others) {
      if (held <= bytes) return;
      held -= other!.batchBytes;
      other!.closeBatch();
    }
  }

  /** Frees everything. Nobody may decode any more. */
  close(): Promise<void> {
    return this.#turns.add(async () => {
      for (const entry of this.#entries.values()) await closeSessions(entry);
      this.#entries.clear();
    });
  }

  #find(target: FrozenTarget): LoadedModel | null {
    if (target.kind !== 'model') return null;
    return this.#entries.get(sessionKey(target))?.models.get(targetHash(target)) ?? null;
  }

  /** The session and the adapter, both in memory; whoever was not used for longest goes for them. */
  async #bringIn(
    entry: Entry,
    { sessionKey: key, adapterKey, readAdapter }: LoadedModel,
  ): Promise<Pick<ModelLease, 'session' | 'adapter'>> {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const session = await this.#session(entry, adapterKey !== null);
    const adapter = await session.adapter(adapterKey, readAdapter);
    await this.#makeRoom(entry, adapterKey);
    return { session, adapter };
  }

  /** One without places for adapters is replaced when the first adapter comes, and one whose files were written to at once. */
  async #session(entry: Entry, needsAdapters: boolean): Promise<ModelSession> {
    const open = entry.session;
    if (open?.weightFiles.areUnchanged === true && (open.takesAdapters || !needsAdapters)) return open;
    if (open !== null) {
      entry.session = null;
      if (entry.leases.length > 0) entry.retired.push(open);
      else await open.close();
    }
    const { target } = entry;
    // Again: the files may have changed since the session was given up.
    const { directory, summary, weightBytes, hasAdapters } = await verifyModel(target, this.#options);
    entry.weightBytes = weightBytes;
    await this.#makeRoom(entry, null);
    const { threads, maxBatch, backend, provider } = this.#options;
    const takesAdapters = needsAdapters || hasAdapters;
    const options = { threads, maxBatch, takesAdapters, ...(backend && { backend }), ...(provider && { provider }) };
    const session = await naming(target, async () => {
      const opened = await ModelSession.open(directory.graphPath, summary, options).catch(async (error: unknown) => {
        await verifyModel(target, this.#options);
        throw error;
      });
      try {
        // Once more, now that whatever is written is noticed: what was opened is what was verified.
        await verifyModel(target, this.#options);
        await opened.weightFiles.checkPaths();
        await this.#probe(opened, target, summary.loraSites.sites);
        return opened;
      } catch (error) {
        await opened.close();
        throw error;
      }
    });
    entry.execution = { backend: session.session.backend, rules: session.rules, adapterMinRows: session.adapterMinRows };
    return (entry.session = session);
  }

  /** @throws KilnError `target_invalid` for a model whose answers would not be its own */
  async #probe(session: ModelSession, target: FrozenModelTarget, sites: ReadonlyMap<string, LoraSite>): Promise<void> {
    const key = `${sessionKey(target)} ${session.takesAdapters}`;
    // A probe takes no more slots than `kvCacheBytes` gives to what decodes.
    const affordable = Math.floor(this.#options.budget.kvCacheBytes / session.slotBytes(PROBE_WIDTH));
    const most = Math.min(session.rules.maxRows, Math.max(affordable, ADAPTER_MIN_ROWS));
    let verdict = this.#verdicts.get(key);
    if (verdict === undefined) {
      verdict = probeVerdict(await probeModel(session, sites, most));
      // What is remembered is of these weights and no others.
      session.weightFiles.check();
      this.#verdicts.set(key, verdict);
    }
    if (verdict.flaws.length > 0) {
      throw new KilnError('target_invalid', `model ${target.model} cannot be run reliably on this machine: ${verdict.flaws.join('; ')}`, {
        hint: 'run `kiln models check` on its directory, which says what was measured',
      });
    }
    session.follow(verdict);
  }

  /** Gives up adapters, then weights, that nobody uses, until the budget holds what is left together with those of `entry`. */
  async #makeRoom(entry: Entry, adapterKey: string | null): Promise<void> {
    const isOver = () => {
      let bytes = 0;
      for (const other of this.#entries.values()) {
        if (other !== entry && other.session === null) continue;
        bytes += other.weightBytes + (other.session?.adapterBytes ?? 0);
      }
      return bytes > this.#options.budget.weightBytes;
    };
    for (const other of this.#entries.values()) {
      const used = new Set([...other.leases, ...(other === entry ? [adapterKey] : [])]);
      while (isOver() && other.session?.dropOldestAdapter(used) === true);
    }
    for (const other of this.#entries.values()) {
      if (!isOver()) return;
      if (other !== entry && other.leases.length === 0) await closeSessions(other);
    }
  }

  /** Frees what an unloaded target, or a lease, has left behind. */
  async #settle(entry: Entry, { sessionKey: key, adapterKey }: LoadedModel): Promise<void> {
    if (entry.leases.length === 0) for (const session of entry.retired.splice(0)) await session.close();
    const isServed = [...entry.models.values()].some((model) => model.adapterKey === adapterKey);
    if (adapterKey !== null && !isServed && !entry.leases.includes(adapterKey)) entry.session?.dropAdapter(adapterKey);
    if (entry.models.size > 0 || entry.leases.length > 0) return;
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    await closeSessions(entry);
  }
}

async function closeSessions(entry: Entry): Promise<void> {
  const sessions = [entry.session, ...entry.retired.splice(0)];
  entry.session = null;
  for (const session of sessions) await session?.close();
}
