import { JSONL_MEDIA_TYPES, KilnError, YAML_MEDIA_TYPES } from '@kiln/contracts';
import { type FastifyInstance } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { type Readable } from 'node:stream';
import { operationOf } from './operation.js';

/** A suite as it was sent: a document that was read whole, or lines that are still on their way. */
export type SuiteUpload = { format: 'json' | 'yaml'; text: string } | { format: 'jsonl'; lines: Readable };

/**
 * Replaces Fastify's own parsers. Suites reach their service as text, because the file formats have one reader for files
 * and requests alike; JSONL reaches it as a stream without a limit; every other body is JSON.
 */
export function registerBodyParsers(instance: FastifyInstance, limitBytes: number): void {
  instance.removeAllContentTypeParsers();
  const whole = { parseAs: 'buffer', bodyLimit: limitBytes } as const;

  instance.addContentTypeParser<Buffer>('application/json', whole, (request, bytes, done) => {
    const text = decodeBody(bytes);
    if (text === null) return done(notUtf8());
    if (isForSuites(request)) return done(null, { format: 'json', text } satisfies SuiteUpload);
    try {
      done(null, text === '' ? undefined : JSON.parse(text));
    } catch (error) {
      done(notJson(error));
    }
  });

  instance.addContentTypeParser<Buffer>([...YAML_MEDIA_TYPES], whole, (request, bytes, done) => {
    if (!isForSuites(request)) return done(onlySuites());
    const text = decodeBody(bytes);
    if (text === null) return done(notUtf8());
    done(null, { format: 'yaml', text } satisfies SuiteUpload);
  });
  instance.addContentTypeParser([...JSONL_MEDIA_TYPES], (request, payload, done) => {
    if (!isForSuites(request)) return done(onlySuites());
    done(null, { format: 'jsonl', lines: payload } satisfies SuiteUpload);
  });
}

/** null when it is not UTF-8: Fastify's own decoding would store U+FFFD in place of what was written. */
function decodeBody(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

function notUtf8(): KilnError {
  return new KilnError('eval_invalid_request', 'request body: not valid UTF-8', { hint: 'Save it in UTF-8 and send it again.' });
}

function isForSuites(request: Parameters<typeof operationOf>[0]): boolean {
  return operationOf(request)?.operationId === 'registerSuite';
}

function onlySuites(): KilnError {
  return new KilnError('unsupported_media_type', 'only suites are sent in this content-type', {
    hint: 'Send content-type: application/json.',
  });
}

function notJson(error: unknown): KilnError {
  const reason = error instanceof Error ? error.message : String(error);
  return new KilnError('eval_invalid_request', `request body: not valid JSON: ${reason}`, { hint: 'Send one JSON object.', cause: error });
}
