import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './project-graph.js';

/** Each line of `source` must be refused by `rule` when it stands in `file`. */
const FORBIDDEN = [
  ['statistics imports a package', 'libs/statistics/src/bad.ts', `import '@kiln/contracts';`, 'no-restricted-imports'],
  ['statistics imports Node', 'libs/statistics/src/bad-too.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['contracts imports more than zod', 'libs/contracts/src/bad.ts', `import '@kiln/statistics';`, 'no-restricted-imports'],
  ['a pure library reads files', 'libs/verdicts/src/bad.ts', `import 'node:fs/promises';`, 'no-restricted-imports'],
  ['a pure library imports an adapter', 'libs/scoring/src/bad.ts', `import '@kiln/database';`, 'no-restricted-imports'],
  ['a pure library imports a driver', 'libs/running/src/bad.ts', `import 'pg';`, 'no-restricted-imports'],
  ['a pure library reads the clock', 'libs/outcomes/src/bad.ts', `export const now = Date.now();`, 'no-restricted-properties'],
  ['a pure library draws', 'libs/suites/src/bad.ts', `export const draw = Math.random();`, 'no-restricted-properties'],
  ['a pure library waits', 'libs/suites/src/bad-too.ts', `setTimeout(() => undefined, 1);`, 'no-restricted-globals'],
  ['provenance does more than hash', 'libs/provenance/src/bad.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['an adapter imports an adapter', 'libs/database/src/bad.ts', `import '@kiln/queue';`, 'no-restricted-imports'],
  ['a service imports an adapter', 'libs/config/src/bad.ts', `import '@kiln/database';`, 'no-restricted-imports'],
  ['an app imports an app', 'apps/worker/src/bad.ts', `import '@kiln/api';`, 'no-restricted-imports'],
  ['an app imports the testing library', 'apps/api/src/bad.ts', `import '@kiln/testing';`, 'no-restricted-imports'],
  ['an import goes past an index', 'apps/api/src/bad-too.ts', `import '@kiln/contracts/src/message.js';`, 'no-restricted-imports'],
  ['an app writes a model for tests', 'apps/api/src/bad-model.ts', `import '@kiln/inference/testing';`, 'no-restricted-imports'],
  ['a path leaves its project', 'libs/queue/src/bad.ts', `import '../../database/src/index.js';`, 'no-restricted-imports'],
  ['a library reads the environment', 'libs/queue/src/bad-too.ts', `export const home = process.env;`, 'no-process-env'],
  ['a file is too long', 'libs/queue/src/long.ts', 'export {};\n'.repeat(401), 'max-lines'],
  ['a file name is not kebab-case', 'libs/queue/src/openQueue.ts', 'export {};', 'filename-case'],
  [
    'a test is the only one to run',
    'libs/queue/src/bad.spec.ts',
    `import { it } from 'vitest';\nit.only('x', () => undefined);`,
    'no-focused-tests',
  ],
] as const;

const ALLOWED = [
  ['a test of a pure library that reads its vectors', 'libs/scoring/src/ok.spec.ts', `import 'node:fs';\nimport '@kiln/testing';`],
  ['provenance that hashes', 'libs/provenance/src/ok.ts', `import 'node:crypto';\nimport '@kiln/contracts';`],
  ['contracts on zod', 'libs/contracts/src/ok.ts', `import 'zod';\nimport './message.js';`],
  ['statistics on itself', 'libs/statistics/src/deep/ok.ts', `import './mean.js';\nimport '../mean.js';`],
  ['an app that joins adapters', 'apps/worker/src/ok.ts', `import '@kiln/database';\nimport '@kiln/queue';`],
  ['a benchmark that writes a model', 'bench/src/ok.ts', `import '@kiln/inference/testing';`],
  ['configuration that reads the environment', 'libs/config/src/ok.ts', 'export const home = process.env;'],
] as const;

describe('the lint rules', () => {
  let found: { file: string; rule: string }[];
  let folder: string;

  // All samples in one folder that has the repository's shape and rules, so that the linter is started once.
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kiln-lint-'));
    await writeFile(path.join(folder, '.oxlintrc.json'), await rulesWithoutTypes());
    for (const [, file, source] of [...FORBIDDEN, ...ALLOWED]) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), `${source}\n`);
    }
    found = await lint(folder);
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(FORBIDDEN)('refuse it when %s', (_what, file, _source, rule) => {
    expect(found.filter((entry) => entry.file === file).map((entry) => entry.rule)).toContain(rule);
  });

  it.each(ALLOWED)('accept %s', (_what, file) => {
    expect(found.filter((entry) => entry.file === file)).toEqual([]);
  });
});

/** The repository's rules. Without those that need types: the samples are not a TypeScript project. */
async function rulesWithoutTypes(): Promise<string> {
  const text = await readFile(path.join(ROOT, '.oxlintrc.json'), 'utf8');
  const rules = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as { options: Record<string, unknown> };
  return JSON.stringify({ ...rules, options: { ...rules.options, typeAware: false } });
}

async function lint(folder: string): Promise<{ file: string; rule: string }[]> {
  const output = await new Promise<string>((resolve) => {
    const program = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
    // A non-zero exit is what is expected here.
    execFile(process.execPath, [program, '--format=json', 'apps', 'libs'], { cwd: folder, maxBuffer: 1e8 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return diagnostics.map(({ code, filename }) => ({ file: filename, rule: /\(([^)]+)\)/.exec(code)?.[1] ?? code }));
}
