import { type ExampleRecord } from '@kiln/database';
import { type ExamplePlace } from '@kiln/suites';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLines } from './read-lines.js';

const WRITE_CHARACTERS = 256 * 1024;
const READ_BYTES = 64 * 1024;
/** Lines are ours; the limit only has to exist. */
const MAX_LINE_BYTES = 1024 * 1024 * 1024;

/** Where an example stood in the upload. */
interface UploadedAt {
  line: number;
  /** Whether its id was derived from its content. */
  derived: boolean;
}

type SpooledExample = ExampleRecord & UploadedAt;

/**
 * A file that holds the checked examples of an upload until the last line is known to be good. So a slow client holds no
 * database connection and a bad line leaves nothing behind, and the transaction can be run again after a deadlock.
 *
 * Two lines an example: what is known of it, and its content, which is not parsed again. The file has no name once it is open:
 * it vanishes with the process, however that ends.
 */
export class ExampleSpool {
  readonly #file: FileHandle;
  #pending: string[] = [];
  #pendingLength = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(): Promise<ExampleSpool> {
    const path = join(tmpdir(), `kiln-upload-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new ExampleSpool(file);
  }

  async append({ content, ...known }: ExampleRecord, at: UploadedAt): Promise<void> {
    const lines = `${JSON.stringify({ ...known, ...at })}\n${content}\n`;
    this.#pending.push(lines);
    this.#pendingLength += lines.length;
    if (this.#pendingLength >= WRITE_CHARACTERS) await this.#flush();
  }

  /** Everything that was appended, from the first; may be read again. */
  async *read(): AsyncGenerator<SpooledExample> {
    await this.#flush();
    const lines = readLines(this.#chunks(), MAX_LINE_BYTES);
    for await (const { text } of lines) {
      const known = JSON.parse(text) as Omit<SpooledExample, 'content'>;
      const { value } = await lines.next();
      yield { ...known, content: value?.text ?? '' };
    }
  }

  /** The first two examples with one id, when there are such: asked only when the database has refused the suite for it. */
  async findDuplicate(): Promise<{ id: string; first: ExamplePlace; second: ExamplePlace; derived: boolean } | null> {
    const places = new Map<string, ExamplePlace>();
    for await (const { key, line, derived } of this.read()) {
      const place = { ordinal: places.size, line };
      const first = places.get(key);
      if (first) return { id: key, first, second: place, derived };
      places.set(key, place);
    }
    return null;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Not by a stream: one closes the file when its reader gives up, as it does when a transaction is run again. */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    await this.#file.appendFile(text);
  }
}
