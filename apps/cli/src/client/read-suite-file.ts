import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { KilnError } from '@kiln/contracts';
import { parseText } from '@kiln/suites';

const NEWLINE = new TextEncoder().encode('\n');

/** Above it a JSON document is sent line by line: the API takes whole documents up to 32 MiB. */
const WHOLE_LIMIT = 30 * 1024 * 1024;

/** A suite as it is sent to the server. */
export interface SuiteUpload {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array> | Uint8Array;
}

/**
 * A suite file for `register`: a JSON or YAML document, a JSONL file whose first line is the header, or a header JSON
 * (also a folder with `suite.json`) beside `examples.jsonl`. JSONL is streamed, so its size does not matter.
 *
 * @throws KilnError `eval_invalid_request` that names the file
 */
export async function openSuiteFile(file: string): Promise<SuiteUpload> {
  const { document, examples } = await layoutOf(file);
  if (examples !== null) return { mediaType: 'application/jsonl', content: headerThenFile(await readHeader(document), examples) };
  const extension = path.extname(document).toLowerCase();
  if (extension === '.jsonl' || extension === '.ndjson') return { mediaType: 'application/jsonl', content: createReadStream(document) };
  const bytes = await readFile(document);
  if (isYaml(extension)) return { mediaType: 'application/yaml', content: bytes };
  if (bytes.byteLength <= WHOLE_LIMIT) return { mediaType: 'application/json', content: bytes };
  return { mediaType: 'application/jsonl', content: linesOf(parseDocument(document, decoded(document, bytes)), document) };
}

/** The same files as one value, for a run that sends its suite along. */
export async function readSuiteFile(file: string): Promise<Record<string, unknown>> {
  const { document, examples } = await layoutOf(file);
  if (examples !== null) return { ...(await readHeader(document)), examples: parseLines(examples, await readText(examples)) };
  const text = await readText(document);
  if (!/\.(jsonl|ndjson)$/i.test(document)) return parseDocument(document, text);
  const [header, ...rest] = parseLines(document, text);
  return { ...(header as Record<string, unknown>), examples: rest };
}

/** Which files make up the suite; `examples` null = all of it is in `document`. */
async function layoutOf(file: string): Promise<{ document: string; examples: string | null }> {
  const kind = await stat(file).catch(() => null);
  if (kind === null)
    throw new KilnError('eval_invalid_request', `file: ${file} does not exist`, { path: 'file', hint: 'name a suite file or its folder' });
  if (kind.isDirectory()) {
    const [document, examples] = [path.join(file, 'suite.json'), path.join(file, 'examples.jsonl')];
    if (!(await exists(document))) {
      throw new KilnError('eval_invalid_request', `file: ${file} has no suite.json`, {
        path: 'file',
        hint: 'a suite folder holds suite.json and examples.jsonl',
      });
    }
    return { document, examples: (await exists(examples)) ? examples : null };
  }
  if (!file.toLowerCase().endsWith('.json') || kind.size > WHOLE_LIMIT) return { document: file, examples: null };
  const beside = path.join(path.dirname(file), 'examples.jsonl');
  const isHeader = !('examples' in parseDocument(file, await readText(file)));
  return { document: file, examples: isHeader && (await exists(beside)) ? beside : null };
}

async function readHeader(file: string): Promise<Record<string, unknown>> {
  const header = parseDocument(file, await readText(file));
  if (!('examples' in header)) return header;
  throw new KilnError('eval_invalid_request', `examples: ${file} has examples, and there is an examples.jsonl beside it`, {
    path: 'examples',
    hint: 'keep the examples in one of the two',
  });
}

async function* headerThenFile(header: Record<string, unknown>, examples: string): AsyncIterable<Uint8Array> {
  yield* line(header);
  yield* createReadStream(examples) as AsyncIterable<Uint8Array>;
}

async function* linesOf(suite: Record<string, unknown>, file: string): AsyncIterable<Uint8Array> {
  const { examples, ...header } = suite;
  if (!Array.isArray(examples)) throw new KilnError('eval_invalid_request', `examples: ${file} has no array of them`, { path: 'examples' });
  yield* line(header);
  for (const example of examples as unknown[]) yield* line(example);
}

function* line(value: unknown): Iterable<Uint8Array> {
  yield Buffer.from(JSON.stringify(value), 'utf8');
  yield NEWLINE;
}

function parseLines(file: string, text: string): unknown[] {
  return text.split('\n').flatMap((row, index) => {
    if (row.trim() === '') return [];
    try {
      return [JSON.parse(row) as unknown];
    } catch (cause) {
      throw new KilnError('eval_invalid_request', `${file}: line ${index + 1} is not JSON: ${(cause as Error).message}`, { cause });
    }
  });
}

function parseDocument(file: string, text: string): Record<string, unknown> {
  const value = parseText(text, isYaml(path.extname(file).toLowerCase()) ? 'yaml' : 'json', file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new KilnError('eval_invalid_request', `${file}: is not a suite: expected an object with "name" and "examples"`);
}

async function readText(file: string): Promise<string> {
  return decoded(file, await readFile(file));
}

/** A lenient decoder would send U+FFFD in place of what the file says. */
function decoded(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new KilnError('eval_invalid_request', `${file}: not valid UTF-8`, { hint: 'save it in UTF-8' });
}

function isYaml(extension: string): boolean {
  return extension === '.yaml' || extension === '.yml';
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}
