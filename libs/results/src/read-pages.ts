import { type Database, type FinishingJob, type PageExample, type PageOutcome, readPageExamples, readPageOutcomes } from '@kiln/database';

/** Raw outcomes read at a time, per run: memory stays the same for any job. */
const PAGE_SAMPLES = 1024;

/** A range of a job's examples with what came of them. */
export interface JobPage {
  examples: PageExample[];
  /** Raw outcomes of each run, in the order of the job's runs. */
  outcomes: PageOutcome[][];
}

/** All pages of a job in suite order. Each is read while the one before it is worked on, so two are held at a time. */
export async function* readPages(db: Database, job: FinishingJob): AsyncGenerator<JobPage> {
  const count = Math.max(1, Math.floor(PAGE_SAMPLES / job.k));
  let ahead = readPage(db, job, 0, count);
  for (let first = count; first < job.suiteExampleCount; first += count) {
    const page = await ahead;
    ahead = readPage(db, job, first, count);
    // Whoever works on `page` may fail first; this page's own failure then has nobody to tell.
    ahead.catch(() => undefined);
    yield page;
  }
  yield await ahead;
}

async function readPage(db: Database, job: FinishingJob, first: number, count: number): Promise<JobPage> {
  const [examples, ...outcomes] = await Promise.all([
    readPageExamples(db, { jobId: job.id, suiteVersionId: job.suiteVersionId, first, count }),
    ...job.runs.map((run) => readPageOutcomes(db, { runId: run.id, first, count })),
  ]);
  return { examples, outcomes };
}
