import { type Example } from '@kiln/contracts';

/**
 * An example as it is written: its content stays JSON text on its way to the database, because a large suite passes through in
 * batches and objects would fill the heap before it is collected.
 */
export interface ExampleRecord {
  /** The resolved id. */
  key: string;
  /** SHA-256 of the content, in hex. */
  hash: string;
  /** The example as one line of JSON. */
  content: string;
}

/** @param hash `sha256:…` of the example's content */
export function exampleRecord(example: Example & { id: string }, hash: string): ExampleRecord {
  return { key: example.id, hash: hash.slice('sha256:'.length), content: JSON.stringify(example) };
}
