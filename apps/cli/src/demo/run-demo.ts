import path from 'node:path';
import { type RunningStack, StackBusyError, readCredentials, stackPaths, startStack, waitUntilReady, readRunRecord } from '@kiln/stack';
import { ApiClient } from '../client/api-client.js';
import { followJob } from '../client/follow-job.js';
import type { CliContext } from '../cli-context.js';
import { reportOf } from '../commands/finish-job.js';
import { type StopSignals } from '../stack/stop-signals.js';
import { keyLines } from '../stack/key-lines.js';
import { stackSettings } from '../stack/stack-settings.js';
import { jobLines } from '../report/job-lines.js';
import { ProgressDisplay } from '../terminal/progress-display.js';
import { collectFlips } from './collect-flips.js';
import { DEMO_COMPARE, DEMO_MODEL, nextSteps } from './demo-plan.js';
import { registerExamples } from './register-examples.js';
import { waitForModel } from './wait-for-model.js';

/** Examples shown in each direction for each candidate. */
const SHOWN_FLIPS = 2;
/** For a worker to have looked through its models. */
const PUBLISHED_MS = 60_000;
/** For another start to become ready. */
const READY_MS = 90_000;

interface DemoServer {
  readonly client: ApiClient;
  /** Null when somebody else's `kiln up` is used: that one is left running. */
  readonly stack: RunningStack | null;
}

/**
 * Starts what is missing, registers the example suites, runs one comparison, prints it, and stops what it started.
 * @param onStarted  told how to end everything at once
 */
export async function runDemo(context: CliContext, signals: StopSignals, onStarted: (kill: () => void) => void): Promise<void> {
  const { client, stack } = await server(context, signals);
  if (stack !== null) onStarted(() => stack.kill());
  try {
    await Promise.race([measure(context, client, stack === null, signals.signal), rejectWhenStopped(signals)]);
  } finally {
    await stack?.stop();
  }
}

async function measure(context: CliContext, client: ApiClient, stays: boolean, signal: AbortSignal): Promise<void> {
  const suites = await registerExamples(client, path.join(context.root, 'suites'));
  context.note(`registered ${suites.join(', ')}`);
  await waitForModel(client, DEMO_MODEL, DEMO_COMPARE.adapters.slice(1), PUBLISHED_MS, signal);
  const { job_id: id } = await client.call('submitCompare', { body: { ...DEMO_COMPARE, adapters: [...DEMO_COMPARE.adapters] } });
  context.note(
    `comparing ${DEMO_MODEL} with its adapters ${DEMO_COMPARE.adapters.slice(1).join(', ')} on ${DEMO_COMPARE.suite}, seed ${DEMO_COMPARE.seed}`,
  );
  const display = new ProgressDisplay(context.surroundings.stderr, Date.now());
  const job = await followJob(client, id, { onProgress: (state) => display.show(state), signal }).finally(() => display.end());
  const report = await reportOf(client, job);
  const flips = await collectFlips(client, job, report.comparisons, SHOWN_FLIPS);
  context.print('', ...jobLines({ ...report, flips }, context.style), '', ...nextSteps(client.server, stays));
}

/** The server of a running `kiln up`, or one that is started now. */
async function server(context: CliContext, signals: StopSignals): Promise<DemoServer> {
  try {
    const stack = await startStack({
      ...stackSettings(context, null),
      strictPort: false,
      purpose: 'demo',
      onProgress: (line) => context.note(line),
      signal: signals.signal,
    });
    for (const line of keyLines(stack, context.dataDir)) context.note(line);
    return { client: new ApiClient(stack.url, stack.credentials.api_key), stack };
  } catch (error) {
    if (!(error instanceof StackBusyError)) throw error;
    const url = await urlOfOther(context);
    if (url === null) throw error;
    context.note(`using the server that runs at ${url} (process ${error.holder.pid})`);
    await waitUntilReady(url, READY_MS, signals.signal);
    const credentials = await readCredentials(stackPaths(context.dataDir).credentialsFile);
    return { client: new ApiClient(url, credentials?.api_key ?? null), stack: null };
  }
}

/** Where another start serves; it may still be choosing its port. */
async function urlOfOther(context: CliContext): Promise<string | null> {
  const { runFile } = stackPaths(context.dataDir);
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const record = await readRunRecord(runFile);
    if (record !== null && record.url !== '') return record.url;
  }
  return null;
}

function rejectWhenStopped(signals: StopSignals): Promise<never> {
  return signals.received.then((signal) => {
    throw new Error(`stopped by ${signal}`);
  });
}
