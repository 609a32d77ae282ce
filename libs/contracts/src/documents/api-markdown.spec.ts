import { describe, expect, it } from 'vitest';
import { configSettings } from '../config/config-settings.js';
import { ErrorCode } from '../errors/error-code.js';
import { allRoutes } from '../routes/catalogue.js';
import { apiMarkdown } from './api-markdown.js';
import { configurationMarkdown } from './configuration-markdown.js';

const guide = apiMarkdown('1.2.3');

describe('apiMarkdown', () => {
  it('shows every route and every error code', () => {
    for (const route of allRoutes()) expect(guide).toContain(`\`${route.method} ${route.path}\``);
    for (const code of ErrorCode.options) expect(guide).toContain(`| \`${code}\` |`);
  });

  it('links only to headings that it has, each once', () => {
    const headings = [...guide.matchAll(/^#+ (.+)$/gm)].map(([, title]) => (title ?? '').toLowerCase().replaceAll(' ', '-'));
    expect(new Set(headings).size).toBe(headings.length);
    for (const [, anchor] of guide.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor);
  });

  it('has tables whose rows all have as many cells as their head', () => {
    const cells = (row: string): number => row.replaceAll('\\|', '').split('|').length;
    for (const block of guide.split('\n\n').filter((text) => text.startsWith('|'))) {
      const rows = block.trim().split('\n');
      expect(new Set(rows.map(cells)).size, block.slice(0, 200)).toBe(1);
    }
  });
});

describe('configurationMarkdown', () => {
  it('shows every setting with its variable', () => {
    const text = configurationMarkdown();
    for (const { path, variable } of configSettings()) expect(text).toContain(`| \`${path}\` | \`${variable}\` |`);
    expect(text).toContain('| `data_dir` | `KILN_DATA_DIR` | string | `".kiln"` |  |');
    expect(text).toContain(
      '| `log.level` | `KILN_LOG_LEVEL` | `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent` | `"info"` | live |',
    );
  });
});
