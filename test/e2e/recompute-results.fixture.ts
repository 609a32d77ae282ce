import { aggregationLabel, type Aggregation, type FrozenTarget, type GateRequest, type JobState, type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '@kiln/database';
import { type BoundedOutcome, reduceWithErrorBounds } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { ComparisonAccumulator, decideVerdict, type GateSide } from '@kiln/verdicts';

/** What a job came to, in the form in which it is stored. */
export interface Results {
  /** Per run, in suite order: ordinal, kind, score, representative, and how many completions of each kind. */
  reduced: (string | number)[][][];
  /** Canonical JSON, one per candidate. */
  comparisons: string[];
  verdicts: string[];
}

interface JobFacts {
  state: JobState;
  aggregation: Aggregation;
  gate: GateRequest | null;
  suiteName: string;
  suiteHash: string;
  versionId: string;
  k: number;
}

interface RunFacts {
  id: string;
  ordinal: number;
  name: string;
  target: FrozenTarget;
  generationHash: string;
}

interface ExampleRows {
  ordinal: number;
  key: string;
  rows: { completion_index: number; kind: OutcomeKind; score: number }[];
}

/** What is stored as the result of a job. */
export async function storedResults(db: Queryable, jobId: string): Promise<Results> {
  const runs = await readRuns(db, jobId);
  const bodies = (table: 'comparisons' | 'verdicts'): Promise<{ body: string }[]> =>
    db.query(
      table === 'comparisons'
        ? `SELECT c.body FROM comparisons c JOIN runs r ON r.id = c.candidate_run_id WHERE c.job_id = $1 ORDER BY r.ordinal`
        : `SELECT v.body FROM verdicts v JOIN comparisons c ON c.id = v.comparison_id JOIN runs r ON r.id = c.candidate_run_id
            WHERE v.job_id = $1 ORDER BY r.ordinal`,
      [jobId],
    );
  return {
    reduced: await Promise.all(runs.map((run) => storedReduced(db, run.id))),
    comparisons: (await bodies('comparisons')).map((row) => row.body),
    verdicts: (await bodies('verdicts')).map((row) => row.body),
  };
}

/** The same, from the raw outcomes and the job's frozen inputs alone. */
export async function recomputeResults(db: Queryable, jobId: string): Promise<Results> {
  const job = await readJob(db, jobId);
  const runs = await readRuns(db, jobId);
  const examples = await Promise.all(runs.map((run) => readExamples(db, job.versionId, run.id)));
  const outcomes = examples.map((run) => run.map((example) => reduce(job, example)));
  const results: Results = { reduced: outcomes.map((run, at) => reducedRows(examples[at]!, run)), comparisons: [], verdicts: [] };
  for (const [index, candidate] of runs.entries()) {
    if (index === 0) continue;
    const pairs = new ComparisonAccumulator({ baseline: identity(runs[0]!), candidate: identity(candidate) });
    for (const [at, { ordinal, key }] of examples[0]!.entries()) {
      pairs.add({ ordinal, example_id: key, baseline: outcomes[0]![at]!, candidate: outcomes[index]![at]! });
    }
    const result = pairs.finish();
    results.comparisons.push(canonicalJson(result.comparison));
    if (job.gate === null) continue;
    const sides = { baseline: gateSide(job, runs[0]!), candidate: gateSide(job, candidate) };
    const subject = { eval_job_id: jobId, job_state: job.state, ...sides, requirements: job.gate };
    results.verdicts.push(canonicalJson(decideVerdict(subject, result)));
  }
  return results;
}

async function readJob(db: Queryable, jobId: string): Promise<JobFacts> {
  const [job] = await db.query<JobFacts>(
    `SELECT state::text, aggregation, gate, suite_name AS "suiteName", suite_hash AS "suiteHash", suite_version_id AS "versionId", k
       FROM jobs WHERE id = $1`,
    [jobId],
  );
  return job!;
}

function readRuns(db: Queryable, jobId: string): Promise<RunFacts[]> {
  return db.query<RunFacts>(
    `SELECT r.id, r.ordinal, r.name, t.definition AS target, r.effective_generation_hash AS "generationHash"
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
}

function readExamples(db: Queryable, versionId: string, runId: string): Promise<ExampleRows[]> {
  return db.query<ExampleRows>(
    `SELECT v.ordinal, v.example_key AS key, coalesce(json_agg(json_build_object('completion_index', o.completion_index, 'kind', o.kind,
              'score', o.score) ORDER BY o.completion_index) FILTER (WHERE o.run_id IS NOT NULL), '[]') AS rows
       FROM suite_version_examples v LEFT JOIN outcomes o ON o.run_id = $2 AND o.ordinal = v.ordinal
      WHERE v.version_id = $1 GROUP BY v.ordinal, v.example_key ORDER BY v.ordinal`,
    [versionId, runId],
  );
}

function reduce({ aggregation, k }: JobFacts, { key, rows }: ExampleRows): BoundedOutcome | null {
  if (rows.length < k) return null;
  return reduceWithErrorBounds(
    aggregation,
    rows.map((row) => ({ example_id: key, tags: [], metadata: null, ...row })),
  );
}

function reducedRows(examples: readonly ExampleRows[], outcomes: readonly (BoundedOutcome | null)[]): (string | number)[][] {
  return outcomes.flatMap((outcome, at) => {
    if (outcome === null) return [];
    const {
      kind,
      score,
      representative_completion_index: chosen,
      num_pass,
      num_fail,
      num_invalid,
      num_error,
      num_skipped,
    } = outcome.actual;
    return [[examples[at]!.ordinal, kind, score, chosen, num_pass, num_fail, num_invalid, num_error, num_skipped]];
  });
}

async function storedReduced(db: Queryable, runId: string): Promise<(string | number)[][]> {
  const rows = await db.query<{ row: (string | number)[] }>(
    `SELECT json_build_array(ordinal, kind, score, representative, num_pass, num_fail, num_invalid, num_error, num_skipped) AS row
       FROM reduced_outcomes WHERE run_id = $1 AND scorer_id = 0 ORDER BY ordinal`,
    [runId],
  );
  return rows.map(({ row }) => row);
}

function identity({ ordinal, name, target }: RunFacts): { run_index: number; name: string; adapter: string | null } {
  return { run_index: ordinal, name, adapter: target.kind === 'model' ? target.adapter : null };
}

function gateSide(job: JobFacts, run: RunFacts): GateSide {
  return {
    run_index: run.ordinal,
    suite_name: job.suiteName,
    suite_hash: job.suiteHash,
    effective_generation_hash: run.generationHash,
    aggregation: aggregationLabel(job.aggregation),
    adapter: identity(run).adapter,
  };
}
