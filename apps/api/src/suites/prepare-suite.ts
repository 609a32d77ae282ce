import { type Example, KilnError, type SuiteHeader } from '@kiln/contracts';
import { exampleRecord, type ExampleRecord, type SuiteFacts } from '@kiln/database';
import { exampleContentHash, SuiteHasher } from '@kiln/provenance';
import { ProofSample } from '@kiln/scoring';
import {
  duplicateIdError,
  exampleToProve,
  type ParsedSuite,
  parseExampleLine,
  parseSuiteHeader,
  parseText,
  SuiteValidator,
  type SuiteValidatorOptions,
} from '@kiln/suites';
import { setImmediate } from 'node:timers/promises';
import { batches } from './batches.js';
import { ExampleSpool } from './example-spool.js';
import { readLines } from './read-lines.js';
import { SuiteFactsCollector } from './suite-facts.js';

/** A suite that passed every check but the database's own, ready to be stored. */
export interface PreparedSuite {
  header: SuiteHeader;
  /** `sha256:…` over header and examples. */
  hash: string;
  facts: SuiteFacts;
  /** Examples for the proof of its scorers. */
  proofSample: ProofSample;
  /** The examples in suite order; may be called again. */
  batches: () => AsyncIterable<readonly ExampleRecord[]>;
  /** The error to answer with when the database found an id twice. */
  duplicateError: () => Promise<KilnError>;
  dispose: () => Promise<void>;
}

/** Examples that are hashed before other requests get a turn: some milliseconds. */
const TURN = 250;

/** Prepares a suite that was read whole, in turns with other requests. */
export async function prepareParsed({ header, examples }: ParsedSuite): Promise<PreparedSuite> {
  const hasher = new SuiteHasher();
  const facts = new SuiteFactsCollector(header);
  const proofSample = new ProofSample();
  const records: ExampleRecord[] = [];
  for (const example of examples) {
    if (records.length % TURN === 0) await setImmediate();
    const hash = exampleContentHash(example);
    hasher.add(hash);
    facts.add(example);
    proofSample.add(exampleToProve(header, example));
    records.push(exampleRecord(example, hash));
  }
  return {
    header,
    hash: hasher.finish(header),
    facts: facts.finish(),
    proofSample,
    batches: () => batches(records, ({ content }) => content.length),
    duplicateError: async () => duplicateId(),
    dispose: async () => undefined,
  };
}

export interface StreamOptions extends SuiteValidatorOptions {
  maxLineBytes: number;
  /** Called once the header is known, before any example is read: a suite that cannot be stored is not read to its end. */
  onHeader: (header: SuiteHeader) => Promise<void>;
}

/**
 * Prepares a suite from a stream of lines: the header, then one example a line. Memory does not grow with it.
 *
 * @throws KilnError that names the line; nothing is left behind then
 */
export async function prepareStream(source: AsyncIterable<Uint8Array>, options: StreamOptions): Promise<PreparedSuite> {
  const lines = readLines(source, options.maxLineBytes);
  const header = await readHeader(lines);
  await options.onHeader(header);
  const validator = new SuiteValidator(header, options);
  const hasher = new SuiteHasher();
  const facts = new SuiteFactsCollector(header);
  const proofSample = new ProofSample();
  const spool = await ExampleSpool.create();
  try {
    let ordinal = 0;
    for await (const { text, number } of lines) {
      const written = parseExampleLine(text, number) as Example;
      const example = validator.add(written, ordinal, number);
      const hash = exampleContentHash(example);
      hasher.add(hash);
      facts.add(example);
      proofSample.add(exampleToProve(header, example));
      await spool.append(exampleRecord(example, hash), { line: number, derived: written.id === undefined });
      ordinal += 1;
    }
    validator.finish();
  } catch (error) {
    await spool.close();
    throw error;
  }
  return {
    header,
    hash: hasher.finish(header),
    facts: facts.finish(),
    proofSample,
    batches: () => batches(spool.read(), ({ content }) => content.length),
    duplicateError: async () => {
      const found = await spool.findDuplicate();
      return found ? duplicateIdError(found.id, found.first, found.second, found.derived) : duplicateId();
    },
    dispose: () => spool.close(),
  };
}

async function readHeader(lines: AsyncGenerator<{ text: string; number: number }>): Promise<SuiteHeader> {
  const { value, done } = await lines.next();
  if (done) {
    throw new KilnError('eval_invalid_request', 'the request has no lines', {
      hint: 'Send the suite without examples on the first line, and one example on each other line.',
    });
  }
  const what = `line ${value.number}`;
  try {
    return parseSuiteHeader(parseText(value.text, 'json', what));
  } catch (error) {
    if (!(error instanceof KilnError) || error.message.startsWith(what)) throw error;
    throw new KilnError(error.code, `${what}: ${error.message}`, { path: error.path ?? what, hint: error.hint ?? '', cause: error });
  }
}

function duplicateId(): KilnError {
  return new KilnError('eval_invalid_request', 'examples: an id is given twice', {
    path: 'examples',
    hint: 'Give each example its own id.',
  });
}
