import { type JobSnapshot } from '@kiln/database';
import { isTerminal } from '@kiln/running';
import { type JobWatch } from './job-watch.js';
import { jobEvent, snapshotId } from './progress-view.js';

/** Proxies close connections that are silent for a minute or so. */
const HEARTBEAT_MS = 15_000;
/** When a client whose connection broke should come back. */
const RETRY_MS = 2_000;

/**
 * A job's progress as server-sent events: each is the whole state at that moment, so a reader that fell behind or came back
 * misses nothing. Only the latest snapshot waits for a slow reader. Ends after the job's end, or when the signal aborts.
 *
 * @param lastEventId what the client saw last: the current state is sent only if it differs, or is the end
 */
export async function* jobEvents(
  watch: Pick<JobWatch, 'watch'>,
  jobId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let latest: JobSnapshot | null | undefined;
  let arrived: () => void = () => undefined;
  const unwatch = watch.watch(jobId, (snapshot) => {
    latest = snapshot;
    arrived();
  });
  let sentId = lastEventId;
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    while (!signal.aborted) {
      const news = latest !== undefined || (await newsWithin(HEARTBEAT_MS, signal, (call) => (arrived = call)));
      const snapshot: JobSnapshot | null | undefined = latest;
      latest = undefined;
      if (snapshot === null) return;
      if (!news || snapshot === undefined) {
        if (!signal.aborted) yield ': heartbeat\n\n';
        continue;
      }
      const ended = isTerminal(snapshot.state);
      const id = snapshotId(snapshot);
      if (id !== sentId || ended) yield eventText(ended ? 'end' : 'progress', id, snapshot);
      sentId = id;
      if (ended) return;
    }
  } finally {
    unwatch();
  }
}

/** @returns whether `arrived` was called before the time was over */
function newsWithin(ms: number, signal: AbortSignal, onArrival: (call: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (news: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(news);
    };
    const abort = (): void => finish(false);
    const timer = setTimeout(() => finish(false), ms);
    signal.addEventListener('abort', abort);
    onArrival(() => finish(true));
  });
}

function eventText(name: string, id: string, snapshot: JobSnapshot): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(jobEvent(snapshot))}\n\n`;
}
