// Writes the documents that are made from code: docs/api.md, docs/configuration.md, docs/cli.md. Run it with `npm run docs`,
// which builds first. Tests compare the files with what this writes.
import { readFile, writeFile } from 'node:fs/promises';
import { commandReference } from '../apps/cli/dist/command-reference.js';
import { apiMarkdown, configurationMarkdown } from '../libs/contracts/dist/index.js';

const at = (path) => new URL(`../${path}`, import.meta.url);
const { version } = JSON.parse(await readFile(at('apps/api/package.json'), 'utf8'));

const documents = {
  'docs/api.md': apiMarkdown(version),
  'docs/configuration.md': configurationMarkdown(),
  'docs/cli.md': commandReference(),
};
for (const [path, text] of Object.entries(documents)) {
  await writeFile(at(path), text);
  console.log(`wrote ${path}`);
}
