import { type ModelPublication } from '@kiln/contracts';
import { type Database, heartbeatWorker, publishModels, readScanEpoch, registerWorker, type WorkerRecord } from '@kiln/database';
import { type ProbedScan } from '@kiln/inference';
import { type Logger } from '@kiln/observability';
import { DOMAINS, domainHash } from '@kiln/provenance';
import { ENDPOINT_IDENTITY, queueName, SANDBOX_IDENTITY, SCORE_IDENTITY } from '@kiln/running';

export interface PublisherParts {
  db: Database;
  worker: WorkerRecord;
  scan: () => Promise<ProbedScan>;
  /** This worker can run code. */
  sandboxed: boolean;
  /** Told which queues this worker can serve now. */
  onQueues: (queues: readonly string[]) => Promise<void>;
  log: Logger;
}

/** Keeps this worker and what it can serve on record, and scans again when that is asked for. */
export class ModelPublisher {
  #scanEpoch = '';
  #isFirst = true;
  #publishing: Promise<void> | null = null;

  constructor(private readonly parts: PublisherParts) {}

  /** Puts this worker on record. From then on it has to beat, while it publishes, too: a scan loads models, which may take minutes. */
  register(): Promise<void> {
    return registerWorker(this.parts.db, this.parts.worker);
  }

  /** Scans the model directory and publishes what it holds; who asks meanwhile waits for the same. */
  publish(): Promise<void> {
    this.#publishing ??= this.#publish().finally(() => (this.#publishing = null));
    return this.#publishing;
  }

  async #publish(): Promise<void> {
    const { db, worker, scan, sandboxed, onQueues, log } = this.parts;
    const identities = [ENDPOINT_IDENTITY, SCORE_IDENTITY, ...(sandboxed ? [SANDBOX_IDENTITY] : [])];
    const anyWorker = identities.map((identity) => queueName(worker.pool, identity));
    if (this.#isFirst) {
      // What needs no model of its own does not wait until all of them were loaded.
      await onQueues(anyWorker);
      await publishModels(db, worker.id, anyWorker, [], '0');
      this.#isFirst = false;
    }
    const epoch = await readScanEpoch(db);
    const { models, rejected } = await scan();
    for (const { path, reason } of rejected) log.warn({ path, reason }, 'not a model that can be served');
    const published = models.map((publication) => {
      const identity = modelIdentity(publication);
      return { publication, identity, queue: queueName(worker.pool, identity) };
    });
    const queues = [...new Set([...anyWorker, ...published.map((model) => model.queue)])];
    await onQueues(queues);
    await publishModels(db, worker.id, queues, published, epoch);
    this.#scanEpoch = epoch;
    log.info({ models: models.map((model) => model.model), queues: queues.length }, 'models published');
  }

  /**
   * Says that this worker lives; begins to publish again when a newer scan was asked for, without waiting for it. A worker that was silent
   * for long (stopped, or cut off from the database) was forgotten meanwhile: it comes back.
   */
  async beat(): Promise<void> {
    const { db, worker, log } = this.parts;
    const answer = await heartbeatWorker(db, worker.id);
    if (answer === null) {
      log.warn('this worker had been forgotten: registering again');
      // Until it has published, the next beat must find something to do.
      this.#scanEpoch = '';
      await this.register();
    }
    if (this.#publishing !== null || answer?.scanEpoch === this.#scanEpoch) return;
    this.publish().catch((error: unknown) => log.warn({ err: error }, 'what this worker serves could not be published'));
  }
}

/** Adapters are not part of it: they are loaded onto the model that the queue is for. */
function modelIdentity(publication: ModelPublication): string {
  const { engine, model_digest, tokenizer_digest, template_digest } = publication;
  return domainHash(DOMAINS.modelIdentity, { engine, model_digest, tokenizer_digest, template_digest });
}
