import { type SuiteHeader } from '@kiln/contracts';
import { type Database, loadSuiteHeader } from '@kiln/database';
import { parseSuiteHeader } from '@kiln/suites';

/** Versions that a worker keeps at hand; a version never changes. */
const MAX_HEADERS = 64;

/** Headers of suite versions, read once. */
export class SuiteHeaders {
  readonly #byVersion = new Map<string, Promise<SuiteHeader>>();

  constructor(private readonly db: Database) {}

  get(versionId: string): Promise<SuiteHeader> {
    const known = this.#byVersion.get(versionId);
    if (known) return known;
    const reading = loadSuiteHeader(this.db, versionId).then((header) => parseSuiteHeader(header));
    this.#byVersion.set(versionId, reading);
    reading.catch(() => this.#byVersion.delete(versionId));
    if (this.#byVersion.size > MAX_HEADERS) this.#byVersion.delete(this.#byVersion.keys().next().value!);
    return reading;
  }
}
