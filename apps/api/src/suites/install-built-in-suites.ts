import { KilnError } from '@kiln/contracts';
import { DEFAULT_PROJECT_ID, findSuite, registerSuite } from '@kiln/database';
import { compileScorerCheck } from '@kiln/scoring';
import { parseSuiteDocument } from '@kiln/suites';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type ApiDependencies } from '../api-dependencies.js';
import { BUILT_IN_SUITES } from './built-in-suites.js';
import { prepareParsed } from './prepare-suite.js';
import { proveSample } from './prove-suite.js';

type Dependencies = Pick<ApiDependencies, 'database' | 'logger'>;

const RETRY_MS = 5_000;

/**
 * Registers each built-in suite whose name is free. A suite that has the name stays as it is, whoever made it; a name that was
 * deleted is free again at the next start. Any number of servers may do this at once: the database lets one of them in.
 *
 * @returns the names that were registered by this call
 */
export async function installBuiltInSuites({ database, logger }: Dependencies, suites = BUILT_IN_SUITES): Promise<string[]> {
  const installed: string[] = [];
  for (const { name, file } of suites) {
    if (await findSuite(database, DEFAULT_PROJECT_ID, name, null)) continue;
    const prepared = await prepareParsed(parseSuiteDocument(await readFile(file, 'utf8'), 'yaml', { compileScorerCheck }));
    const scorerProof = await proveSample(prepared.proofSample);
    const suite = { projectId: DEFAULT_PROJECT_ID, createdBy: 'built-in', ...prepared, scorerProof };
    try {
      await registerSuite(database, suite, false, { actor: 'api', source: 'start' });
    } catch (error) {
      // Another server was quicker.
      if (error instanceof KilnError && error.code === 'eval_suite_exists') continue;
      throw error;
    }
    logger.info({ suite: name }, 'installed a built-in suite');
    installed.push(name);
  }
  return installed;
}

/**
 * Installs them, once more every few seconds while the database cannot be used yet: it may start later than this process, or still
 * be migrated. A suite that is refused is not tried again, and never keeps the server from serving.
 *
 * @returns when the first try is over; the others go on in the background until `signal` aborts
 */
export async function keepInstallingBuiltInSuites(dependencies: Dependencies, signal: AbortSignal, retryMs = RETRY_MS): Promise<void> {
  if (await isOver(dependencies)) return;
  const goOn = async (): Promise<void> => {
    do await setTimeout(retryMs, undefined, { signal });
    while (!(await isOver(dependencies)));
  };
  goOn().catch(() => undefined);
}

/** Whether there is nothing more to try. */
async function isOver(dependencies: Dependencies): Promise<boolean> {
  try {
    await installBuiltInSuites(dependencies);
    return true;
  } catch (err) {
    const isRefused = err instanceof KilnError;
    dependencies.logger.warn({ err }, isRefused ? 'a built-in suite is refused' : 'the built-in suites are not installed yet');
    return isRefused;
  }
}
