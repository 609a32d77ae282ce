import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, anchorsOf, markdownFiles } from './documents.js';

const files = markdownFiles();
const byPath = new Map(files.map((file) => [file.file, file]));

describe('links', () => {
  it.each(files.map((file) => [file.file, file] as const))('of %s lead to files and headings that exist', (_name, { file, prose }) => {
    const broken: string[] = [];
    for (const [, link = ''] of withoutCode(prose).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [target = '', anchor] = link.split('#');
      const found = target === '' ? file : path.join(path.dirname(file), target);
      if (!existsSync(path.join(ROOT, found))) broken.push(`${link}: no such file`);
      const document = byPath.get(found);
      if (anchor !== undefined && document !== undefined && !anchorsOf(document).has(anchor)) broken.push(`${link}: no such heading`);
    }
    expect(broken).toEqual([]);
  });

  it('lead from the README to every document outside of the libraries', () => {
    const reached = new Set(['README.md']);
    for (const file of reached) {
      for (const [, link = ''] of (byPath.get(file)?.prose ?? '').matchAll(/\]\(([^)\s#]+)/g)) {
        const target = path.join(path.dirname(file), link);
        if (byPath.has(target)) reached.add(target);
      }
    }
    expect(files.map(({ file }) => file).filter((file) => !file.startsWith('libs/') && !reached.has(file))).toEqual([]);
  });
});

function withoutCode(prose: string): string {
  return prose.replaceAll(/`[^`]*`/g, '');
}
