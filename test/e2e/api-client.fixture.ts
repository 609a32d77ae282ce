import {
  type CompareRequest,
  type Comparison,
  type ErrorBody,
  type Job,
  type RawOutcome,
  type ReducedOutcome,
  ROUTES,
  type RescoreRequest,
  type RunRequest,
  type RunResponse,
  type SuiteInput,
} from '@kiln/contracts';
import { expect } from 'vitest';
import { type z } from 'zod';
import { until } from './until.fixture.js';

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** What is sent: as a person writes it, before defaults. */
type Sent<T> = { [K in keyof T]?: unknown };

/** The API as a client sees it. Each success is read with the contract's own schema. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  /** One request, whatever comes of it. @throws TypeError when there is no server */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  async registerSuite(suite: SuiteInput): Promise<void> {
    const answer = await this.send('POST', '/v1/eval/suites?force=true', suite);
    read(answer, ROUTES.registerSuite.success.payload.schema);
  }

  async run(request: Sent<RunRequest>, headers: Record<string, string> = {}): Promise<RunResponse> {
    return read(await this.send('POST', '/v1/eval/run', request, headers), ROUTES.submitRun.success.payload.schema);
  }

  async compare(request: Sent<CompareRequest>): Promise<RunResponse> {
    return read(await this.send('POST', '/v1/eval/compare', request), ROUTES.submitCompare.success.payload.schema);
  }

  async rescore(jobId: string, request: Sent<RescoreRequest>): Promise<RunResponse> {
    return read(await this.send('POST', `/v1/eval/jobs/${jobId}/rescore`, request), ROUTES.submitRescore.success.payload.schema);
  }

  async job(jobId: string, waitSeconds = 0): Promise<Job> {
    const answer = await this.send('GET', `/v1/eval/jobs/${jobId}?wait=${waitSeconds}`);
    return read(answer, ROUTES.getJob.success.payload.schema);
  }

  async cancel(jobId: string): Promise<Answer> {
    return this.send('DELETE', `/v1/eval/jobs/${jobId}`);
  }

  /** Waits for the job's end, over restarts of the API and the database. */
  waitForEnd(jobId: string, withinMs = 60_000): Promise<Job> {
    return until(
      `job ${jobId} ends`,
      async () => {
        const answer = await this.send('GET', `/v1/eval/jobs/${jobId}?wait=5`).catch(() => null);
        if (answer === null || answer.status === 503) return null;
        const job = read(answer, ROUTES.getJob.success.payload.schema);
        return job.finished_at === null ? null : job;
      },
      withinMs,
    );
  }

  /** All completions of a run, page by page. */
  outcomes(jobId: string, runIndex = 0): Promise<RawOutcome[]> {
    const { schema } = ROUTES.listOutcomes.success.payload;
    return this.#pages(`/v1/eval/jobs/${jobId}/outcomes?run_index=${runIndex}`, schema, (page) => page.outcomes);
  }

  /** All reduced outcomes of a run, page by page. */
  aggregatedOutcomes(jobId: string, runIndex = 0): Promise<ReducedOutcome[]> {
    const { schema } = ROUTES.listAggregatedOutcomes.success.payload;
    const path = `/v1/eval/jobs/${jobId}/aggregated_outcomes?run_index=${runIndex}`;
    return this.#pages(path, schema, (page) => page.aggregated_outcomes);
  }

  async comparisons(jobId: string): Promise<Comparison[]> {
    const answer = await this.send('GET', `/v1/eval/jobs/${jobId}/comparison`);
    return read(answer, ROUTES.getComparison.success.payload.schema).comparisons;
  }

  async #pages<P extends { next_cursor: string | null }, T>(path: string, schema: z.ZodType<P>, rows: (page: P) => T[]): Promise<T[]> {
    const all: T[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: P = read(await this.send('GET', `${path}&limit=37${query}`), schema);
      all.push(...rows(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    return all;
  }
}

/** The code of an answer that is not a success. */
export function errorCode(answer: Answer): string {
  return (answer.body as ErrorBody).error.code;
}

function read<T>(answer: Answer, schema: z.ZodType<T>): T {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return schema.parse(answer.body);
}
