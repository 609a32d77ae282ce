import {
  aggregationLabel,
  type Aggregation,
  type Comparison,
  type FrozenTarget,
  type GateRequest,
  type JobState,
  nanoUsd,
  type OutcomeKind,
} from '@kiln/contracts';
import { type Queryable } from '@kiln/database';
import { type BoundedOutcome, reduceWithErrorBounds } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { adjustedComparisons, CandidateAccumulator, decideVerdict, type GateSide, type JobTotals, type SampleFacts } from '@kiln/verdicts';

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
  projectId: string;
  versionId: string;
  k: number;
}

interface RunFacts {
  id: string;
  ordinal: number;
  name: string;
  target: FrozenTarget;
  targetHash: string;
  generationHash: string;
}

interface RawRow {
  completion_index: number;
  kind: OutcomeKind;
  score: number;
  rounds: number | null;
  /** US dollars. */
  cost: string | null;
  latency_ms: number | null;
  tokens: number | null;
  stop_reason: string | null;
}

interface ExampleRows {
  ordinal: number;
  key: string;
  cluster: string | null;
  category: string | null;
  split: string | null;
  rows: RawRow[];
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
  const completeness = jobTotals(job, examples);
  const comparisons: Comparison[] = [];
  for (const [index, candidate] of runs.entries()) {
    if (index === 0) continue;
    const accumulator = new CandidateAccumulator(
      { baseline: identity(runs[0]!), candidate: identity(candidate) },
      job.gate?.policy ?? null,
    );
    for (const [at, { ordinal, key, cluster, category, split, rows }] of examples[0]!.entries()) {
      accumulator.add({
        ordinal,
        example_id: key,
        cluster,
        category,
        split,
        baseline: outcomes[0]![at]!,
        candidate: outcomes[index]![at]!,
        baseline_samples: rows.map((row) => facts(row, runs[0]!)),
        candidate_samples: examples[index]![at]!.rows.map((row) => facts(row, candidate)),
      });
    }
    const result = accumulator.finish();
    comparisons.push(result.paired.comparison);
    if (job.gate === null) continue;
    const sides = { baseline: gateSide(job, runs[0]!), candidate: gateSide(job, candidate) };
    const subject = { eval_job_id: jobId, job_state: job.state, ...sides, requirements: job.gate, job: completeness, votes: new Map() };
    results.verdicts.push(canonicalJson(decideVerdict(subject, result)));
  }
  results.comparisons.push(...adjustedComparisons(comparisons).map((comparison) => canonicalJson(comparison)));
  return results;
}

async function readJob(db: Queryable, jobId: string): Promise<JobFacts> {
  const [job] = await db.query<JobFacts>(
    `SELECT state::text, aggregation, gate, suite_name AS "suiteName", suite_hash AS "suiteHash", suite_version_id AS "versionId", k,
            project_id AS "projectId"
       FROM jobs WHERE id = $1`,
    [jobId],
  );
  return job!;
}

function readRuns(db: Queryable, jobId: string): Promise<RunFacts[]> {
  return db.query<RunFacts>(
    `SELECT r.id, r.ordinal, r.name, t.definition AS target, t.definition_hash AS "targetHash", r.effective_generation_hash AS "generationHash"
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
}

function readExamples(db: Queryable, versionId: string, runId: string): Promise<ExampleRows[]> {
  return db.query<ExampleRows>(
    `SELECT v.ordinal, v.example_key AS key, e.cluster, e.category, e.split,
            coalesce(json_agg(json_build_object('completion_index', o.completion_index, 'kind', o.kind, 'score', o.score,
              'rounds', t.rounds, 'cost', t.cost::text, 'latency_ms', t.latency_ms, 'tokens', t.prompt_tokens + t.completion_tokens,
              'stop_reason', t.stop_reason) ORDER BY o.completion_index) FILTER (WHERE o.run_id IS NOT NULL), '[]') AS rows
       FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
       LEFT JOIN outcomes o ON o.run_id = $2 AND o.ordinal = v.ordinal LEFT JOIN traces t ON t.id = o.trace_id
      WHERE v.version_id = $1 GROUP BY v.ordinal, v.example_key, e.id ORDER BY v.ordinal`,
    [versionId, runId],
  );
}

function reduce({ aggregation, k }: JobFacts, { key, rows }: ExampleRows): BoundedOutcome | null {
  if (rows.length < k) return null;
  return reduceWithErrorBounds(
    aggregation,
    rows.map((row) => ({
      example_id: key,
      tags: [],
      metadata: null,
      completion_index: row.completion_index,
      kind: row.kind,
      score: row.score,
    })),
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
    project: job.projectId,
    target_hash: run.targetHash,
    provider: run.target.kind === 'model' ? run.target.engine : new URL(run.target.base_url).origin,
    reps: job.k,
  };
}

function jobTotals({ k }: JobFacts, runs: readonly (readonly ExampleRows[])[]): JobTotals {
  const rows = runs.flat().flatMap((example) => example.rows);
  const count = (...kinds: OutcomeKind[]): number => rows.filter(({ kind }) => kinds.includes(kind)).length;
  const planned = runs.reduce((sum, examples) => sum + examples.length * k, 0);
  return {
    expected_samples: planned - count('skipped'),
    ok_samples: count('pass', 'fail', 'invalid'),
    error_samples: count('error'),
  };
}

/** What failed before there was a trace cost nothing on a free target, and nobody knows what elsewhere. */
function facts({ completion_index, kind, rounds, cost, latency_ms, tokens, stop_reason }: RawRow, { target }: RunFacts): SampleFacts {
  const lost = latency_ms === null && target.pricing.kind === 'free';
  return {
    completion_index,
    kind,
    rounds: rounds ?? 0,
    cost: cost === null ? (lost ? 0n : null) : nanoUsd(cost),
    latency_ms,
    tokens: tokens ?? (lost ? 0 : null),
    stop_reason,
    tool_calls: null,
  };
}
