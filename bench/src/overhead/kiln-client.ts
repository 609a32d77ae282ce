import { type Job, type OutcomeList, type RawOutcome, type RunResponse } from '@kiln/contracts';
import { isTerminal } from '@kiln/running';

const WAIT_SECONDS = 60;

/** The few calls that the benchmark makes, as any REST client would make them. */
export class KilnClient {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  /** Registers a suite from a stream of JSONL. */
  async registerSuite(lines: AsyncIterable<Uint8Array>): Promise<void> {
    const body = ReadableStream.from(lines);
    await this.#call('POST', '/v1/eval/suites', { body, duplex: 'half', headers: { 'content-type': 'application/jsonl' } });
  }

  /** Submits a run of the echo on a registered suite, with a seed of its own: nothing of earlier runs can be reused. @returns the job's id */
  submitEcho(suite: string): Promise<string> {
    return this.submitRun({ suite, model: 'echo' });
  }

  /** Submits a run. @returns the job's id */
  async submitRun(request: object): Promise<string> {
    const body = JSON.stringify(request);
    const response = await this.#call('POST', '/v1/eval/run', { body, headers: { 'content-type': 'application/json' } });
    return (response as RunResponse).job_id;
  }

  /** Submits a rescore of a finished job. @returns the new job's id */
  async submitRescore(jobId: string, scorer: object): Promise<string> {
    const body = JSON.stringify({ scorers: [{ scorer }] });
    const path = `/v1/eval/jobs/${jobId}/rescore`;
    const response = await this.#call('POST', path, { body, headers: { 'content-type': 'application/json' } });
    return (response as RunResponse).job_id;
  }

  /** Waits, by long polls, until a job's result is final. */
  async waitForEnd(jobId: string): Promise<Job> {
    for (;;) {
      const job = (await this.#call('GET', `/v1/eval/jobs/${jobId}?wait=${WAIT_SECONDS}`)) as Job;
      if (isTerminal(job.state)) return job;
    }
  }

  /** All completions of a job's first run, in suite order. */
  async listOutcomes(jobId: string): Promise<RawOutcome[]> {
    const outcomes: RawOutcome[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = (await this.#call('GET', `/v1/eval/jobs/${jobId}/outcomes${cursor}`)) as OutcomeList;
      outcomes.push(...page.outcomes);
      cursor = page.next_cursor === null ? null : `?cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    return outcomes;
  }

  /** Cancels a job. */
  async cancel(jobId: string): Promise<void> {
    await this.#call('DELETE', `/v1/eval/jobs/${jobId}`);
  }

  async #call(method: string, path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      ...init,
      method,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.apiKey}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }
}
