import { KilnError } from '@kiln/contracts';
import { LineCounter, parseDocument } from 'yaml';
import { findJsonFlaw } from './find-json-flaw.js';

export type DocumentFormat = 'json' | 'yaml';

/** The YAML parser takes about a second and 200 MB for this much (measured); larger suites are better off as JSON or JSONL. */
const MAX_YAML_CHARACTERS = 2 * 1024 * 1024;
/** Every use of an alias counts, so that nested aliases cannot blow a small file up. */
const MAX_ALIASES = 100;

/**
 * Reads a JSON or YAML document into plain values.
 *
 * YAML is 1.2 core: no tags that build objects, no merge keys, no second document, no repeated keys; `on` and `no` are text.
 *
 * @param what what the text is, for messages: "suite", "line 7".
 * @throws {KilnError} with line and column where the parser gives them.
 */
export function parseText(text: string, format: DocumentFormat, what: string): unknown {
  const content = text.replace(/^\ufeff/, '');
  return format === 'json' ? parseJson(content, what) : parseYaml(content, what);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const flaw = findJsonFlaw(text);
    const reason = flaw ? `expected ${flaw.expected} at ${describeOffset(text, flaw.offset)}` : String(error);
    throw syntaxError(what, 'JSON', reason, error);
  }
}

/** Within one line the column is enough. */
function describeOffset(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  return text.trimEnd().includes('\n') ? `line ${before.length}, ${column}` : column;
}

function parseYaml(text: string, what: string): unknown {
  if (text.length > MAX_YAML_CHARACTERS) {
    throw new KilnError('payload_too_large', `${what}: YAML of more than ${MAX_YAML_CHARACTERS} characters`, {
      hint: 'Send JSON, or JSONL, which is read as a stream.',
    });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  const [flaw] = [...document.errors, ...document.warnings];
  if (flaw) {
    const { line, col } = lines.linePos(flaw.pos[0]);
    const reason = flaw.code === 'MULTIPLE_DOCS' ? 'a second document begins' : flaw.message;
    throw syntaxError(what, 'YAML', `${reason} at line ${line}, column ${col}`, flaw);
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw syntaxError(what, 'YAML', error instanceof Error ? error.message : String(error), error);
  }
}

function syntaxError(what: string, format: string, reason: string, cause: unknown): KilnError {
  return new KilnError('eval_invalid_request', `${what}: not valid ${format}: ${reason}`, {
    hint: `Correct the ${format} at that place and send it again.`,
    cause,
  });
}
