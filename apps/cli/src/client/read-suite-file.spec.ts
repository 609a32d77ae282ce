import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSuiteFile, readSuiteFile } from './read-suite-file.js';

const HEADER = { name: 's', schema_version: 2, default_scorer: { kind: 'exact_match' } };
const EXAMPLE = { id: 'a', messages: [{ role: 'user', content: '1 + 1?' }], target: '2' };

describe('suite files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kiln-suite-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, content: unknown): string {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  async function sent(file: string): Promise<{ mediaType: string; text: string }> {
    const { mediaType, content } = await openSuiteFile(file);
    if (content instanceof Uint8Array) return { mediaType, text: Buffer.from(content).toString('utf8') };
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return { mediaType, text: Buffer.concat(chunks).toString('utf8') };
  }

  it('sends a JSON document as it is', async () => {
    const file = write('s.json', { ...HEADER, examples: [EXAMPLE] });
    expect(await sent(file)).toEqual({ mediaType: 'application/json', text: JSON.stringify({ ...HEADER, examples: [EXAMPLE] }) });
    expect(await readSuiteFile(file)).toEqual({ ...HEADER, examples: [EXAMPLE] });
  });

  it.each(['s.json', 's.yaml', 's.jsonl'])('refuses text that is not UTF-8, in %s', async (name) => {
    const file = write(name, '');
    writeFileSync(file, Buffer.from('{"name":"caf\u00e9"}', 'latin1'));
    await expect(readSuiteFile(file)).rejects.toThrow(`${file}: not valid UTF-8`);
  });

  it('sends YAML as YAML, and reads it for a run', async () => {
    const file = write('s.yaml', 'name: s\nexamples:\n  - id: a\n');
    expect((await sent(file)).mediaType).toBe('application/yaml');
    expect(await readSuiteFile(file)).toEqual({ name: 's', examples: [{ id: 'a' }] });
  });

  it('streams JSONL', async () => {
    const text = `${JSON.stringify(HEADER)}\n${JSON.stringify(EXAMPLE)}\n`;
    const file = write('s.jsonl', text);
    expect(await sent(file)).toEqual({ mediaType: 'application/jsonl', text });
    expect(await readSuiteFile(file)).toEqual({ ...HEADER, examples: [EXAMPLE] });
  });

  it('joins a header with the examples beside it, named by its folder or by itself', async () => {
    const header = write('one/suite.json', JSON.stringify(HEADER, null, 2));
    write('one/examples.jsonl', `${JSON.stringify(EXAMPLE)}\n\n${JSON.stringify({ ...EXAMPLE, id: 'b' })}\n`);
    const text = `${JSON.stringify(HEADER)}\n${JSON.stringify(EXAMPLE)}\n\n${JSON.stringify({ ...EXAMPLE, id: 'b' })}\n`;
    expect(await sent(path.dirname(header))).toEqual({ mediaType: 'application/jsonl', text });
    expect(await sent(header)).toEqual({ mediaType: 'application/jsonl', text });
    expect(await readSuiteFile(header)).toEqual({ ...HEADER, examples: [EXAMPLE, { ...EXAMPLE, id: 'b' }] });
  });

  it('refuses examples in both places', async () => {
    const file = write('one/suite.json', { ...HEADER, examples: [EXAMPLE] });
    write('one/examples.jsonl', `${JSON.stringify(EXAMPLE)}\n`);
    await expect(openSuiteFile(path.dirname(file))).rejects.toThrow(/has examples, and there is an examples.jsonl beside it/);
  });

  it.each([
    ['a file that does not exist', () => path.join(folder, 'nothing.json'), /does not exist/],
    ['a folder without a suite', () => folder, /has no suite.json/],
    ['a list', () => write('list.json', [EXAMPLE]), /expected an object with "name" and "examples"/],
    ['broken JSON', () => write('broken.json', '{"name": '), /broken.json: /],
    ['a broken line', () => write('broken.jsonl', '{"name":"s"}\n{'), /line 2 is not JSON/],
  ])('says what is wrong with %s', async (_what, make, message) => {
    await expect(readSuiteFile(make())).rejects.toThrow(message);
  });
});
