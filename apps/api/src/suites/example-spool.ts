import { type ResolvedExample } from '@kiln/database';
import { type ExamplePlace } from '@kiln/suites';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLines } from './read-lines.js';

const WRITE_BYTES = 256 * 1024;
/** Lines are ours; the limit only has to exist. */
const MAX_LINE_BYTES = 1024 * 1024 * 1024;

/** A spooled example: resolved, with the line of the upload that it came from. */
interface SpooledExample extends ResolvedExample {
  line: number;
  /** Whether its id was derived from its content. */
  derived: boolean;
}

/** The same, read back. */
type ReadExample = SpooledExample & {
  /** Length of its text. */
  characters: number;
};

/**
 * A file that holds the checked examples of an upload until the last line is known to be good. So a slow client holds no
 * database connection and a bad line leaves nothing behind, and the transaction can be run again after a deadlock.
 *
 * The file has no name once it is open: it vanishes with the process, however that ends.
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

  async append(example: SpooledExample): Promise<void> {
    const line = `${JSON.stringify(example)}\n`;
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength >= WRITE_BYTES) await this.#flush();
  }

  /** Everything that was appended, from the first; may be read again. */
  async *read(): AsyncGenerator<ReadExample> {
    await this.#flush();
    const bytes = this.#file.createReadStream({ start: 0, autoClose: false });
    for await (const { text } of readLines(bytes, MAX_LINE_BYTES)) {
      yield { ...(JSON.parse(text) as SpooledExample), characters: text.length };
    }
  }

  /** The first two examples with one id, when there are such: found only when the database has refused the suite for it. */
  async findDuplicate(): Promise<{ id: string; first: ExamplePlace; second: ExamplePlace; derived: boolean } | null> {
    const places = new Map<string, ExamplePlace>();
    for await (const { example, line, derived } of this.read()) {
      const place = { ordinal: places.size, line };
      const first = places.get(example.id);
      if (first) return { id: example.id, first, second: place, derived };
      places.set(example.id, place);
    }
    return null;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    await this.#file.appendFile(text);
  }
}
