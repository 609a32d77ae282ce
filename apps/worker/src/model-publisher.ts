import { type ModelPublication } from '@kiln/contracts';
import { type Database, heartbeatWorker, publishModels, readScanEpoch } from '@kiln/database';
import { type Logger } from '@kiln/observability';
import { domainHash } from '@kiln/provenance';
import { ENDPOINT_IDENTITY, queueName } from '@kiln/running';

export interface ModelScan {
  models: readonly ModelPublication[];
  rejected: readonly { path: string; reason: string }[];
}

export interface PublisherParts {
  db: Database;
  workerId: string;
  pool: string;
  scan: () => Promise<ModelScan>;
  /** Told which queues this worker can serve now. */
  onQueues: (queues: readonly string[]) => Promise<void>;
  /** The files may have changed: what was loaded must be verified again. */
  onRescan: () => void;
  log: Logger;
}

/** Keeps this worker and what it can serve on record, and scans again when that is asked for. */
export class ModelPublisher {
  #scanEpoch = '';

  constructor(private readonly parts: PublisherParts) {}

  /** Scans the model directory and publishes what it holds. */
  async publish(): Promise<void> {
    const { db, workerId, pool, scan, onQueues, onRescan, log } = this.parts;
    const epoch = await readScanEpoch(db);
    const { models, rejected } = await scan();
    for (const { path, reason } of rejected) log.warn({ path, reason }, 'not a model that can be served');
    const published = models.map((publication) => {
      const identity = modelIdentity(publication);
      return { publication, identity, queue: queueName(pool, identity) };
    });
    const queues = [...new Set([queueName(pool, ENDPOINT_IDENTITY), ...published.map((model) => model.queue)])];
    onRescan();
    await onQueues(queues);
    await publishModels(db, workerId, queues, published, epoch);
    this.#scanEpoch = epoch;
    log.info({ models: models.map((model) => model.model), queues: queues.length }, 'models published');
  }

  /** Says that this worker lives; publishes again when a newer scan was asked for. */
  async beat(): Promise<void> {
    const answer = await heartbeatWorker(this.parts.db, this.parts.workerId);
    if (answer && answer.scanEpoch !== this.#scanEpoch) await this.publish();
  }
}

/** Adapters are not part of it: they are loaded onto the model that the queue is for. */
function modelIdentity(publication: ModelPublication): string {
  const { engine, model_digest, tokenizer_digest, template_digest } = publication;
  return domainHash('kiln.model-identity.v1', { engine, model_digest, tokenizer_digest, template_digest });
}
