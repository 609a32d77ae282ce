import { Injectable, StreamableFile } from '@nestjs/common';
import { type AggregatedOutcomeList, type ComparisonList, KilnError, type OutcomeList } from '@kiln/contracts';
import { findComparisons, findRunResults, readOutcomePage, readReducedOutcomePage, type RunResults } from '@kiln/database';
import { Readable } from 'node:stream';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { CURSOR_PART, decodeCursor, encodeCursor } from '../http/cursor.js';
import { type QueryOf } from '../http/operation.js';
import { pageOf } from '../http/page.js';
import { exportText } from './export-text.js';
import { isJobId, jobNotFound } from './job-id.js';
import { rawOutcome, reducedOutcome } from './outcome-view.js';

/** Answers the rows behind a job, page by page. */
@Injectable()
export class OutcomesService {
  constructor(private readonly api: ApiDependencies) {}

  async list(caller: Caller, jobId: string, query: QueryOf<'listOutcomes'>): Promise<OutcomeList> {
    const run = await this.#run(caller, jobId, query.run_index);
    const [ordinal, completionIndex] = decodeCursor(query.cursor, [CURSOR_PART.integer, CURSOR_PART.integer]) ?? [];
    const after = ordinal === undefined ? null : { ordinal: Number(ordinal), completionIndex: Number(completionIndex) };
    const { runId, suiteVersionId } = run;
    const rows = await readOutcomePage(this.api.database, {
      runId,
      suiteVersionId,
      kinds: query.kind ?? null,
      after,
      limit: query.limit + 1,
    });
    // A page of large texts is shorter than asked for: only one that was full to the extra row, or cut, goes on.
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    const more = last !== undefined && (rows.length > query.limit || (await this.#hasMore(run, query, last)));
    const cursor = more ? encodeCursor([last.ordinal, last.completionIndex]) : null;
    return { outcomes: shown.map((row) => rawOutcome(row, run)), next_cursor: cursor };
  }

  async #hasMore(run: RunResults, query: QueryOf<'listOutcomes'>, after: { ordinal: number; completionIndex: number }): Promise<boolean> {
    const { runId, suiteVersionId } = run;
    const rows = await readOutcomePage(this.api.database, { runId, suiteVersionId, kinds: query.kind ?? null, after, limit: 1 });
    return rows.length > 0;
  }

  async listAggregated(caller: Caller, jobId: string, query: QueryOf<'listAggregatedOutcomes'>): Promise<AggregatedOutcomeList> {
    const { runId, suiteVersionId, k } = await this.#run(caller, jobId, query.run_index);
    const [after] = decodeCursor(query.cursor, [CURSOR_PART.integer]) ?? [];
    const afterOrdinal = after === undefined ? null : Number(after);
    const page = { runId, suiteVersionId, kinds: query.kind ?? null, afterOrdinal, limit: query.limit + 1 };
    const rows = await readReducedOutcomePage(this.api.database, page);
    const { shown, next_cursor } = pageOf(rows, query.limit, (row) => [row.ordinal]);
    return { aggregated_outcomes: shown.map((row) => reducedOutcome(row, k)), next_cursor };
  }

  async comparison(caller: Caller, jobId: string): Promise<ComparisonList> {
    await this.#runs(caller, jobId);
    return { job_id: jobId, comparisons: await findComparisons(this.api.database, jobId) };
  }

  async export(caller: Caller, jobId: string, format: 'jsonl' | 'csv'): Promise<StreamableFile> {
    const runs = await this.#runs(caller, jobId);
    const text = Readable.from(exportText(this.api.database, runs, format), { objectMode: false });
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl';
    return new StreamableFile(text, { type, disposition: `attachment; filename="${jobId}.${format}"` });
  }

  async #run(caller: Caller, jobId: string, index: number): Promise<RunResults> {
    const runs = await this.#runs(caller, jobId);
    const run = runs[index];
    if (run) return run;
    throw new KilnError('eval_invalid_request', `run_index: is ${index}, but the job has ${runs.length} runs`, {
      path: 'run_index',
      hint: `Use 0 to ${runs.length - 1}.`,
    });
  }

  async #runs(caller: Caller, jobId: string): Promise<RunResults[]> {
    const runs = isJobId(jobId) ? await findRunResults(this.api.database, caller.projectId, jobId) : [];
    if (runs.length === 0) throw jobNotFound(jobId);
    return runs;
  }
}
