import { type Database, readSuiteExamples, type RepeatableJob, type RepeatableRun, selectedOrdinals } from '@kiln/database';
import { exampleContentHash, generationHash, LineHasher, scorerIdentity, SuiteHasher } from '@kiln/provenance';
import { judgeIdentity } from '@kiln/running';
import { scorerVersions } from '@kiln/scoring';
import { effectiveScorer } from '@kiln/suites';
import { exampleSettingsLine } from './record-lines.js';

const PAGE = 500;

/** What the inputs of a run come to now, by the stored suite and this version of the code. */
export interface CurrentInputs {
  suiteSha256: string;
  effectiveGenerationSha256: string;
  /** Of the settings lines: thinking budgets, and scorers by configuration and version. */
  settingsSha256: string;
}

/** Computes again what a replay record says of a run's inputs: every example is read and hashed, nothing is taken from the record. */
export async function currentInputs(db: Database, job: RepeatableJob, run: RepeatableRun): Promise<CurrentInputs> {
  const suite = new SuiteHasher();
  const settings = new LineHasher();
  const selected = job.selection === null ? null : new Set(await selectedOrdinals(db, job.id));
  const identities = new Map<string, string>();
  let ordinal = -1;
  for (;;) {
    const examples = await readSuiteExamples(db, { versionId: job.suiteVersionId, after: ordinal, limit: PAGE });
    if (examples.length === 0) break;
    for (const example of examples) {
      ordinal += 1;
      suite.add(exampleContentHash(example));
      if (selected !== null && !selected.has(ordinal)) continue;
      const config = run.scorer ?? effectiveScorer(job.suiteHeader, example);
      const text = JSON.stringify(config);
      let identity = identities.get(text);
      if (identity === undefined) {
        identity = scorerIdentity(config, { versions: scorerVersions(config), judge: judgeIdentity(config, run.judging) });
        identities.set(text, identity);
      }
      settings.add(exampleSettingsLine(job, { key: example.id, generation: example.generation }, { config, identity }));
    }
  }
  return {
    suiteSha256: suite.finish(job.suiteHeader),
    effectiveGenerationSha256: generationHash(job.generationOverride ?? job.suiteHeader.generation),
    settingsSha256: settings.finish().sha256,
  };
}
