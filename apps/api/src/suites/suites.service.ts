import { Injectable, StreamableFile } from '@nestjs/common';
import {
  type DeleteSuiteResponse,
  KilnError,
  type ProveSuiteResponse,
  type RegisterSuiteResponse,
  SCORER_PROOF_VERSION,
  type ScorerProof,
  type SuiteHeader,
  type SuiteList,
} from '@kiln/contracts';
import { deleteSuite, findSuite, listSuites, registerSuite, storeScorerProof, suiteNames, type SuiteVersion } from '@kiln/database';
import { compileScorerCheck } from '@kiln/scoring';
import { parseSuiteDocument, type SuiteValidatorOptions } from '@kiln/suites';
import { Readable } from 'node:stream';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { type SuiteUpload } from '../http/body-parsers.js';
import { CURSOR_PART, decodeCursor } from '../http/cursor.js';
import { type QueryOf } from '../http/operation.js';
import { pageOf } from '../http/page.js';
import { type PreparedSuite, prepareParsed, prepareStream } from './prepare-suite.js';
import { proveSample, proveStored } from './prove-suite.js';
import { suiteSummary } from './suite-summary.js';
import { suiteText } from './suite-text.js';

/** Names that a "not found" lists, so that a misspelling shows. */
const NAMES_IN_HINT = 20;

@Injectable()
export class SuitesService {
  constructor(private readonly api: ApiDependencies) {}

  async list(caller: Caller, query: QueryOf<'listSuites'>): Promise<SuiteList> {
    const [afterName] = decodeCursor(query.cursor, [CURSOR_PART.text]) ?? [];
    const page = { projectId: caller.projectId, afterName: afterName ?? null, limit: query.limit + 1 };
    const versions = await listSuites(this.api.database, page);
    const { shown, next_cursor } = pageOf(versions, query.limit, (version) => [version.header.name]);
    return { suites: shown.map(suiteSummary), next_cursor };
  }

  async register(caller: Caller, upload: SuiteUpload | undefined, force: boolean): Promise<RegisterSuiteResponse> {
    if (upload === undefined) throw new KilnError('eval_invalid_request', 'request body: is required; expected a suite');
    const prepared = await this.#prepare(caller, upload, force).finally(() => drain(upload));
    try {
      const { projectId, keyName } = caller;
      const scorerProof = await proveSample(prepared.proofSample);
      const suite = { projectId, createdBy: keyName, ...prepared, scorerProof };
      const { status, version } = await registerSuite(this.api.database, suite, force, actorOf(caller));
      return { status, suite: suiteSummary(version), scorer_proof: scorerProof };
    } catch (error) {
      throw isDuplicateExample(error) ? await prepared.duplicateError() : error;
    } finally {
      await prepared.dispose();
    }
  }

  async get(caller: Caller, name: string, query: QueryOf<'getSuite'>): Promise<StreamableFile> {
    const version = await findSuite(this.api.database, caller.projectId, name, query.hash ?? null);
    if (!version) throw await this.notFound(caller, name, query.hash);
    const text = Readable.from(suiteText(this.api.database, version, query.format), { objectMode: false });
    return new StreamableFile(text, { type: query.format === 'json' ? 'application/json' : 'application/jsonl' });
  }

  /** Proves the scorers anew, as they are in this version of the program, and keeps what came of it. */
  async prove(caller: Caller, name: string, hash: string | undefined): Promise<ProveSuiteResponse> {
    const version = await findSuite(this.api.database, caller.projectId, name, hash ?? null);
    if (!version) throw await this.notFound(caller, name, hash);
    const scorerProof = await this.#prove(version);
    return { name, hash: version.hash, scorer_waiver: version.header.scorer_waiver ?? null, scorer_proof: scorerProof };
  }

  /** The stored proof; made now for a version that was registered before there were proofs like today's. */
  async proofOf(version: SuiteVersion): Promise<ScorerProof> {
    return version.scorerProof?.version === SCORER_PROOF_VERSION ? version.scorerProof : this.#prove(version);
  }

  async delete(caller: Caller, name: string): Promise<DeleteSuiteResponse> {
    const deleted = await deleteSuite(this.api.database, caller.projectId, name, actorOf(caller));
    if (!deleted) throw await this.notFound(caller, name);
    return { name, status: 'deleted' };
  }

  /** The newest version of a registered suite. */
  async current(caller: Caller, name: string): Promise<SuiteVersion> {
    const version = await findSuite(this.api.database, caller.projectId, name, null);
    if (!version) throw await this.notFound(caller, name);
    return version;
  }

  validatorOptions(): SuiteValidatorOptions {
    return { compileScorerCheck, maxExamples: this.api.config().eval.max_suite_examples };
  }

  async #prove(version: SuiteVersion): Promise<ScorerProof> {
    const proof = await proveStored(this.api.database, version);
    await storeScorerProof(this.api.database, version.id, proof);
    return proof;
  }

  async #prepare(caller: Caller, upload: SuiteUpload, force: boolean): Promise<PreparedSuite> {
    const options = this.validatorOptions();
    if (upload.format !== 'jsonl') return prepareParsed(parseSuiteDocument(upload.text, upload.format, options));
    // Not destroyed when a line is bad: destroying a request's stream would cut the connection before the answer is sent.
    const lines = upload.lines.iterator({ destroyOnReturn: false });
    const maxLineBytes = this.api.config().eval.max_example_bytes;
    return prepareStream(lines, { ...options, maxLineBytes, onHeader: (header) => this.#refuseTaken(caller, header, force) });
  }

  async #refuseTaken(caller: Caller, { name }: SuiteHeader, force: boolean): Promise<void> {
    if (force || !(await findSuite(this.api.database, caller.projectId, name, null))) return;
    throw new KilnError('eval_suite_exists', `name: a suite named ${JSON.stringify(name)} exists`, {
      path: 'name',
      hint: 'Send force=true to make this its new version, or choose another name.',
    });
  }

  async notFound(caller: Caller, name: string, hash?: string): Promise<KilnError> {
    if (hash !== undefined && (await findSuite(this.api.database, caller.projectId, name, null))) {
      return new KilnError('eval_suite_not_found', `the suite ${JSON.stringify(name)} has no version ${hash}`, {
        hint: 'Leave hash out for the newest.',
      });
    }
    const names = await suiteNames(this.api.database, caller.projectId, NAMES_IN_HINT);
    const known =
      names.length === 0 ? 'No suite is registered yet: POST one to /v1/eval/suites.' : `Registered suites: ${names.join(', ')}.`;
    return new KilnError('eval_suite_not_found', `no suite is named ${JSON.stringify(name)}`, { hint: known });
  }
}

/** What is left of a refused stream is read and forgotten: a client that is still sending reads no answer. */
function drain(upload: SuiteUpload): void {
  if (upload.format === 'jsonl') upload.lines.resume();
}

function isDuplicateExample(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'suite_version_examples_version_id_example_key_key';
}
