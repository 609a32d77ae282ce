import { afterEach, describe, expect, it } from 'vitest';
import { ExampleSpool } from './example-spool.js';

const COUNT = 3000;
const spools: ExampleSpool[] = [];
afterEach(async () => {
  for (const spool of spools.splice(0)) await spool.close();
});

/** Far more than is read at once. */
async function filled(): Promise<ExampleSpool> {
  const spool = await ExampleSpool.create();
  spools.push(spool);
  for (let line = 1; line <= COUNT; line += 1) {
    const content = JSON.stringify({ prompt: `Frage ${line}: grün? `.repeat(10) });
    await spool.append({ key: `example-${line}`, content } as never, { line, derived: false });
  }
  return spool;
}

async function keys(spool: ExampleSpool, most = Infinity): Promise<string[]> {
  const read: string[] = [];
  for await (const { key, content } of spool.read()) {
    expect(JSON.parse(content)).toMatchObject({ prompt: expect.stringContaining('grün') });
    read.push(key);
    if (read.length === most) break;
  }
  return read;
}

describe('ExampleSpool', () => {
  it('can be read again from the first example, also when a reader has given up', async () => {
    const spool = await filled();
    const all = Array.from({ length: COUNT }, (_, index) => `example-${index + 1}`);
    expect(await keys(spool)).toEqual(all);
    expect(await keys(spool, 2)).toEqual(all.slice(0, 2));
    expect(await keys(spool, COUNT / 2)).toEqual(all.slice(0, COUNT / 2));
    expect(await keys(spool)).toEqual(all);
  });
});
