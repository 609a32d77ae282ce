import { type SuiteHeader } from '@kiln/contracts';
import { type Database, loadSuiteHeader } from '@kiln/database';
import { parseSuiteHeader } from '@kiln/suites';
import { OncePerKey } from './once-per-key.js';

/** Versions that a worker keeps at hand; a version never changes. */
const MAX_HEADERS = 64;

/** Headers of suite versions, read once. */
export class SuiteHeaders {
  readonly #byVersion = new OncePerKey<SuiteHeader>(MAX_HEADERS);

  constructor(private readonly db: Database) {}

  get(versionId: string): Promise<SuiteHeader> {
    return this.#byVersion.get(versionId, async () => parseSuiteHeader(await loadSuiteHeader(this.db, versionId)));
  }
}
