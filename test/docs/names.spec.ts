import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ErrorCode, allRoutes, configSettings } from '@kiln/contracts';
import { createMetrics } from '@kiln/observability';
import { describe, expect, it } from 'vitest';
import { ROOT, markdownFiles, writtenDocuments } from './documents.js';

/** Variables that are no settings, and where they are read. */
const OTHER_VARIABLES: Record<string, string> = {
  KILN_CONFIG: 'libs/config/src/config-file.ts',
  KILN_SERVER_URL: 'apps/cli/src/client/locate-server.ts',
  KILN_API_KEY: 'apps/cli/src/client/locate-server.ts',
  KILN_REQUIRE: 'libs/testing/src/require-program.ts',
  KILN_E2E_SEED: 'test/e2e/worker-loss.spec.ts',
  KILN_SHARED: 'libs/scoring/src/vectors/third-party.spec.ts',
};

const documents = writtenDocuments().map((document) => [document.file, document] as const);

describe('names in the documents', () => {
  it.each(markdownFiles().map(({ file, text }) => [file, text]))('%s: environment variables exist', (_name, text) => {
    const settings = new Set(configSettings().map(({ variable }) => variable));
    const used = [...new Set((text ?? '').match(/\bKILN_[A-Z0-9_]+/g))];
    expect(used.filter((name) => !settings.has(name) && !Object.hasOwn(OTHER_VARIABLES, name))).toEqual([]);
  });

  it.each(Object.entries(OTHER_VARIABLES))('%s is read in %s', (name, file) => {
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(`'${name}'`);
  });

  it.each(documents)('%s: settings exist', (_name, { prose }) => {
    const settings = configSettings().map((setting) => setting.path);
    const sections = [...new Set(settings.filter((name) => name.includes('.')).map((name) => name.split('.')[0]))];
    const used = [...prose.matchAll(new RegExp(`\`((?:${sections.join('|')})\\.[a-z_]+)\``, 'g'))].map(([, name]) => name);
    expect(used.filter((name) => !settings.includes(name ?? ''))).toEqual([]);
  });

  it.each(documents)('%s: routes exist', (_name, { text }) => {
    const patterns = allRoutes().map(({ method, path: route }) => ({
      method,
      pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    const isRoute = (method: string | undefined, route: string): boolean =>
      patterns.some((known) => (method === undefined || known.method === method) && known.pattern.test(route));
    const used = [...text.matchAll(/(?:\b(GET|POST|DELETE|PUT|PATCH) )?(?:\$KILN_SERVER_URL)?(\/v1\/[\w/{}$-]+(?:\.json)?)/g)];
    // An endpoint of another server ends in /v1.
    expect(used.filter(([, method, route = '']) => !isRoute(method, route)).map(([whole]) => whole)).toEqual([]);
  });

  it.each(documents)('%s: error codes exist', (_name, { prose }) => {
    const used = [...prose.matchAll(/`((?:eval|target|model|adapter|idempotency)_[a-z_]+)`/g)].map(([, code = '']) => code);
    const looksLikeCode = used.filter((code) =>
      /_(found|full|exists|reused|progress|served|changed|invalid|request|use|unavailable)$/.test(code),
    );
    expect(looksLikeCode.filter((code) => !ErrorCode.safeParse(code).success)).toEqual([]);
  });

  it.each(documents)('%s: metrics exist', async (_name, { prose }) => {
    const metrics = createMetrics('docs');
    const known = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
    metrics.close();
    const used = [...prose.matchAll(/`(kiln_[a-z_]+)/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });
});
