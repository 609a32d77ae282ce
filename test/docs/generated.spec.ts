import { readFileSync } from 'node:fs';
import path from 'node:path';
import { apiMarkdown, configurationMarkdown } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { ROOT } from './documents.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** docs/cli.md is compared in apps/cli, which it is made from. */
describe('generated documents', () => {
  it('docs/api.md is what the route catalogue says', () => {
    const { version } = JSON.parse(read('apps/api/package.json')) as { version: string };
    expect(read('docs/api.md') === apiMarkdown(version), 'docs/api.md is stale: run `npm run docs`').toBe(true);
  });

  it('docs/configuration.md is what the configuration schema says', () => {
    expect(read('docs/configuration.md') === configurationMarkdown(), 'docs/configuration.md is stale: run `npm run docs`').toBe(true);
  });
});
