import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandReference } from './command-reference.js';
import { EXIT } from './exit-code.js';

const reference = commandReference();

describe('commandReference', () => {
  it('shows commands with their options', () => {
    const compare = reference.split('\n## ').find((section) => section.startsWith('kiln eval compare\n'));
    expect(compare).toContain('| `--suite <name>` | a registered suite | yes |');
    expect(compare).toContain('| `--server <url>` |');
    expect(reference).toContain('`kiln eval show [options] <job>`');
    expect(reference).toContain('`kiln test [what...]`');
  });

  it('explains every exit code', () => {
    for (const code of Object.values(EXIT)) expect(reference).toMatch(new RegExp(`^\\| ${code} \\| \\S`, 'm'));
  });

  it('is docs/cli.md', () => {
    const file = new URL('../../../docs/cli.md', import.meta.url);
    expect(readFileSync(file, 'utf8') === reference, 'docs/cli.md is stale: run `npm run docs`').toBe(true);
  });
});
