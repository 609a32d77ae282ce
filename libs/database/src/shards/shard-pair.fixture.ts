import { type StopReason } from '@kiln/contracts';
import { finalState } from '@kiln/running';
import { DEFAULT_PROJECT, type EchoJob } from '@kiln/testing';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { type Database } from '../database.js';
import { finishableJobs } from '../jobs/finishable-jobs.js';
import { finishJob } from '../jobs/finish-job.js';
import { cancelJob, endStoppedShards, stopHaltedJobs } from '../jobs/stop-job.js';
import { checkCap, checkRecord } from './check-record.fixture.js';
import { undispatchShards } from './dispatch-shards.js';
import { type AttemptEnd, endAttempt } from './end-attempt.js';
import { type Lease, StaleLeaseError } from './lease.js';
import { reapExpired } from './reap-expired.js';
import { recordOutcomes, recordWaste } from './record-outcomes.js';
import { claimAs, dispatchNow, expire, readBudget, readJob, readShards, sampleOf, usageOf, TESTER } from './shard-flow.fixture.js';
import { type ModelShard, type ShardModel, type Ticket } from './shard-model.fixture.js';

/** What happens next. Numbers choose among the messages and leases that there are; `start` dispatches one shard and claims it. */
export type Command =
  | { do: 'start' }
  | { do: 'dispatch'; limit: number }
  | { do: 'claim' | 'undispatch' | 'expire'; pick: number }
  | { do: 'record'; pick: number; samples: number; cost: number; repeat: boolean }
  | { do: 'giveBack'; pick: number; how: 'released' | 'crashed' | 'retry' }
  | { do: 'cancel' | 'halt' | 'sweep' | 'finish' };

/** Which message or lease: the latest one, or any. */
const LATEST = -1;
const any = fc.nat(40);

const start = fc.constant<Command>({ do: 'start' });
const dispatch = fc.record({ do: fc.constant('dispatch' as const), limit: fc.integer({ min: 1, max: 4 }) });
const touch = (what: 'claim' | 'undispatch' | 'expire', which: fc.Arbitrary<number>) => fc.record({ do: fc.constant(what), pick: which });
// The bound of a sample is 10: most stay inside, some overshoot.
const record = (which: fc.Arbitrary<number>) =>
  fc.record({ do: fc.constant('record' as const), pick: which, samples: fc.nat(4), cost: fc.nat(13), repeat: fc.boolean() });
const giveBack = (which: fc.Arbitrary<number>) =>
  fc.record({
    do: fc.constant('giveBack' as const),
    pick: which,
    how: fc.constantFrom('released' as const, 'crashed' as const, 'crashed' as const, 'retry' as const),
  });
const control = fc.record({ do: fc.constantFrom('cancel' as const, 'halt' as const, 'sweep' as const, 'finish' as const) });

const latest = fc.constant(LATEST);
const attempt = fc.tuple(start, fc.oneof(record(latest), giveBack(latest), giveBack(latest), touch('expire', latest)));
const partialAttempt = fc.tuple(start, record(latest), giveBack(latest));

/** Attempts as they go, and between them anything at any time. */
export const commands: fc.Arbitrary<Command[]> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: attempt },
      { weight: 3, arbitrary: partialAttempt },
      { weight: 3, arbitrary: fc.tuple(start) },
      {
        weight: 8,
        arbitrary: fc.tuple(
          fc.oneof(dispatch, touch('claim', any), record(any), giveBack(any), touch('expire', any), touch('undispatch', any)),
        ),
      },
      { weight: 1, arbitrary: fc.tuple(control) },
    ),
    { minLength: 5, maxLength: 18 },
  )
  .map((scenes): Command[] => scenes.flat());

/** Does each command to the database and to the model. */
export class ShardPair {
  readonly messages: Ticket[] = [];
  readonly leases: { ticket: Ticket; lease: Lease; part: number }[] = [];
  /** What may be above the cap: actual costs over their bound, and waste. */
  over = 0;

  constructor(
    readonly db: Database,
    readonly job: EchoJob,
    readonly model: ShardModel,
    private readonly ids: Map<number, string>,
  ) {}

  async run(command: Command): Promise<void> {
    switch (command.do) {
      case 'start':
        await this.run({ do: 'dispatch', limit: 1 });
        return this.#claim(this.messages.at(-1));
      case 'dispatch': {
        const expected = this.model.dispatch(command.limit);
        const given = await dispatchNow(this.db, this.job.jobId, command.limit);
        assert.deepEqual(
          given.map(({ shardId, dispatch }) => [shardId, dispatch]),
          expected.map(({ first, number }) => [this.ids.get(first), number]),
        );
        this.messages.push(...expected);
        return;
      }
      case 'claim':
        return this.#claim(choose(this.messages, command.pick));
      case 'undispatch': {
        const message = choose(this.messages, command.pick);
        if (!message) return;
        this.model.undispatch(message);
        await undispatchShards(this.db, [{ shardId: this.ids.get(message.first)!, queue: '', dispatch: message.number }]);
        return;
      }
      case 'record':
        return this.#record(command);
      case 'giveBack': {
        const held = choose(this.leases, command.pick);
        if (!held) return;
        const end: AttemptEnd = command.how === 'retry' ? { kind: 'retry', delayMs: 0 } : { kind: command.how };
        const accepted = this.model.giveBack(held.ticket, command.how);
        assert.equal(await isAccepted(endAttempt(this.db, held.lease, end)), accepted);
        return;
      }
      case 'expire': {
        const held = choose(this.leases, command.pick);
        if (!held || !this.model.holds(held.ticket)) return;
        this.model.expire(held.ticket);
        await expire(this.db, held.lease.shardId);
        await reapExpired(this.db, 100);
        return;
      }
      case 'cancel':
        this.model.cancel();
        await cancelJob(this.db, DEFAULT_PROJECT, this.job.jobId, TESTER);
        return;
      case 'halt':
        this.model.halt();
        await this.db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
        await stopHaltedJobs(this.db);
        return;
      case 'sweep':
        this.model.sweep();
        await endStoppedShards(this.db, this.job.jobId);
        return;
      case 'finish':
        return this.finish();
    }
  }

  async finish(): Promise<void> {
    const isFinishable = (await finishableJobs(this.db, 1_000)).includes(this.job.jobId);
    assert.equal(isFinishable, this.model.isFinishable());
    if (!isFinishable) return;
    this.model.finish();
    const { stopReason } = await readJob(this.db, this.job.jobId);
    const state = finalState(stopReason as StopReason | null);
    await finishJob(this.db, { jobId: this.job.jobId, projectId: DEFAULT_PROJECT, state, runs: [], comparisons: [] });
  }

  /** Compares the two, and checks the invariants of the record. */
  async compare(): Promise<void> {
    const shards = await readShards(this.db, this.job.jobId);
    const expected = [...this.model.shards.values()].toSorted((a, b) => a.first - b.first);
    assert.deepEqual(
      shards.map((shard) => ({
        ...pickState(shard),
        fence: Number(shard.fence),
        recorded: shard.recorded,
        held: nanoOf(shard.costReserved),
      })),
      expected.map((shard) => ({ ...pickState(shard), fence: shard.fence, recorded: shard.recorded.size, held: shard.held })),
    );
    assert.deepEqual(await readJob(this.db, this.job.jobId), { state: this.model.state, stopReason: this.model.stopReason });
    const budget = await readBudget(this.db, this.job.jobId);
    assert.deepEqual([budget.cost, budget.costHeld], [this.model.spent, this.model.held]);
    await checkRecord(this.db, this.job.jobId);
    await checkCap(this.db, this.job.jobId, BigInt(this.over));
    for (const shard of shards) this.ids.set(shard.first, shard.id);
  }

  /** Goes on as healthy workers would, until nothing is left to do. */
  async drain(): Promise<void> {
    for (const { ticket, lease } of this.leases) {
      if (!this.model.holds(ticket)) continue;
      this.model.giveBack(ticket, 'released');
      await endAttempt(this.db, lease, { kind: 'released' });
    }
    for (let round = 0; round < 100; round += 1) {
      await this.run({ do: 'dispatch', limit: 1 });
      const open = [...this.model.shards.values()].find((shard) => shard.state === 'dispatched');
      if (!open) break;
      await this.#claim({ first: open.first, number: open.dispatch });
      await this.compare();
      const last = this.leases.at(-1);
      if (last && this.model.holds(last.ticket)) await this.#recordOn(last, this.model.missing(last.ticket), 1, true);
    }
    await this.run({ do: 'sweep' });
    await this.finish();
    await this.compare();
  }

  async #claim(message: Ticket | undefined): Promise<void> {
    if (!message) return;
    const expected = this.model.claim(message);
    const result = await claimAs(this.db, { shardId: this.ids.get(message.first)!, dispatch: message.number });
    if (result.outcome !== 'leased' || expected.outcome !== 'leased') {
      assert.deepEqual(result, expected);
      return;
    }
    const { lease, giveUp } = result;
    assert.deepEqual({ count: lease.count, giveUp }, { count: expected.count, giveUp: expected.giveUp });
    this.leases.push({ ticket: { first: message.first, number: Number(lease.fence) }, lease, part: 0 });
  }

  async #record(command: Extract<Command, { do: 'record' }>): Promise<void> {
    const held = choose(this.leases, command.pick);
    if (!held) return;
    const missing = this.model.missing(held.ticket);
    const samples = command.samples === 4 ? missing : missing.slice(0, command.samples);
    await this.#recordOn(held, samples, command.cost, samples.length === missing.length);
    if (command.repeat) await this.#recordOn({ ...held, part: held.part - 1 }, samples, command.cost, samples.length === missing.length);
  }

  async #recordOn(held: ShardPair['leases'][number], samples: [number, number][], cost: number, final: boolean): Promise<void> {
    const { ticket, lease, part } = held;
    const batch = samples.map(([ordinal, index]) => sampleOf(ordinal, index, { costNano: BigInt(cost) }));
    const before = this.model.spent;
    const accepted = this.model.record(ticket, part, samples, cost * samples.length, final);
    assert.equal(await isAccepted(recordOutcomes(this.db, lease, { samples: batch, usage: usageOf(batch), part, final })), accepted);
    if (accepted) this.over += Math.max(0, this.model.spent - before - Number(lease.costBoundNano) * samples.length);
    else {
      this.model.waste(ticket, part, cost * samples.length);
      await recordWaste(this.db, lease, part, usageOf(batch));
      this.over += this.model.spent - before;
    }
    held.part += 1;
  }
}

type SharedState = Pick<ModelShard, 'first' | 'count' | 'dispatch' | 'starts' | 'crashes' | 'end'> & { state: string };

const pickState = ({ first, count, state, dispatch, starts, crashes, end }: SharedState): SharedState => ({
  first,
  count,
  state,
  dispatch,
  starts,
  crashes,
  end,
});

const nanoOf = (usd: string): number => Math.round(Number(usd) * 1e9);

const choose = <T>(from: readonly T[], number: number): T | undefined => (number === LATEST ? from.at(-1) : from[number % from.length]);

const isAccepted = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof StaleLeaseError) return false;
      throw error;
    },
  );
