import { KilnError, type Suite } from '@kiln/contracts';
import { type SuiteVersion } from '@kiln/database';
import { checkSuiteValue, type SuiteValidatorOptions } from '@kiln/suites';
import { prepareParsed, type PreparedSuite } from '../suites/prepare-suite.js';

/** Checks the suite of a run request. Errors name its fields as they stand in the request. */
export async function prepareInline(suite: Suite, options: SuiteValidatorOptions): Promise<PreparedSuite> {
  try {
    return await prepareParsed(checkSuiteValue(suite, options));
  } catch (error) {
    if (!(error instanceof KilnError)) throw error;
    const path = error.path === null ? 'inline_suite' : `inline_suite.${error.path}`;
    throw new KilnError(error.code, `inline_suite.${error.message}`, { path, hint: error.hint ?? '', cause: error });
  }
}

/** The version that an inline suite will be: everything but its place in the database. */
export function unstoredVersion({ header, hash, facts }: PreparedSuite): SuiteVersion {
  return { id: '', number: 1, hash, header, scorerProof: null, createdAt: new Date(0), ...facts };
}
