import { execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LAUNCHER = path.resolve(import.meta.dirname, '../../../kiln');
const WITHOUT_BUILD = path.resolve(import.meta.dirname, '../../../tools/stack-without-build.mjs');

/**
 * The launcher in a small checkout of its own. In the place of npm stands a program that does what `npm ci` does here
 * (replace node_modules, end with the hidden lock file), in the place of the compiler one that writes a build; both note
 * that they ran.
 */
const NPM = `#!/bin/sh
echo "npm $*" >>"$NOTES"
[ -z "\${NPM_FAILS:-}" ] || { echo "no such package"; exit 1; }
sleep "\${NPM_TAKES:-0}"
rm -rf node_modules && mkdir -p node_modules/typescript/bin
cat >node_modules/typescript/bin/tsc <<'TSC'
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync(process.env.NOTES, 'tsc\\n');
mkdirSync('apps/cli/dist', { recursive: true });
writeFileSync('apps/cli/dist/main.js', 'console.log(JSON.stringify({ argv: process.argv.slice(2), skip: process.env.ONNXRUNTIME_NODE_INSTALL }));');
writeFileSync('apps/cli/dist/.tsbuildinfo', '{}');
TSC
touch node_modules/.package-lock.json
`;

describe('the launcher', () => {
  let base: string;
  let root: string;
  let notes: string;
  let bin: string;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'kiln launcher-'));
    root = path.join(base, 'check out');
    notes = path.join(base, 'notes');
    bin = path.join(base, 'bin');
    await mkdir(path.join(root, 'apps/cli/src'), { recursive: true });
    await mkdir(bin);
    await cp(WITHOUT_BUILD, path.join(root, 'tools/stack-without-build.mjs'));
    await cp(LAUNCHER, path.join(root, 'kiln'));
    await cp(`${LAUNCHER}-eval`, path.join(root, 'kiln-eval'));
    for (const file of ['package-lock.json', 'tsconfig.json', 'apps/cli/tsconfig.json', 'apps/cli/package.json']) {
      await writeFile(path.join(root, file), '{}');
    }
    await writeFile(path.join(root, 'apps/cli/src/main.ts'), 'export {};');
    await writeFile(path.join(bin, 'npm'), NPM);
    await symlink(process.execPath, path.join(bin, 'node'));
    await chmod(path.join(bin, 'npm'), 0o755);
  });

  // The npm of a start that was killed may still be writing.
  afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));

  function kiln(args: readonly string[] = [], options: { file?: string; cwd?: string; env?: Record<string, string> } = {}) {
    const { file = path.join(root, 'kiln'), cwd = '/', env = {} } = options;
    return new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: base, NOTES: notes, ...env };
      execFile(file, args, { cwd, env: environment }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  async function ran(): Promise<string[]> {
    return (await readFile(notes, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  }

  const later = (file: string) => utimes(path.join(root, file), new Date(Date.now() + 5000), new Date(Date.now() + 5000));

  it('installs, builds, and passes its arguments on; the second time it only starts', async () => {
    const first = await kiln(['eval', 'run', '--prompt', 'two words', '']);
    expect(JSON.parse(first.out)).toEqual({ argv: ['eval', 'run', '--prompt', 'two words', ''], skip: 'skip' });
    expect(first.err).toMatch(/installing packages .*\n.*installed in \d+ s\n.*building/);
    expect(await ran()).toEqual(['npm ci --include=dev --no-audit --no-fund', 'tsc']);
    const second = await kiln();
    expect(second).toEqual({ code: 0, out: '{"argv":[],"skip":"skip"}\n', err: '' });
    expect(await ran()).toHaveLength(2);
  });

  it('says nothing but the result with --json', async () => {
    expect((await kiln(['eval', 'list', '--json'])).err).toBe('');
  });

  it.each(['down', 'status'])('%s runs the last build, and neither installs nor builds', async (command) => {
    await kiln();
    await later('apps/cli/src/main.ts');
    await later('package-lock.json');
    await writeFile(path.join(root, 'package-lock.json'), '{"changed":true}');
    const { out, err } = await kiln([command, '--json']);
    expect([JSON.parse(out), err]).toEqual([{ argv: [command, '--json'], skip: 'skip' }, '']);
    expect(await ran()).toHaveLength(2);
  });

  it.each([
    ['there is none', () => Promise.resolve()],
    [
      'it does not start',
      async () => {
        await mkdir(path.join(root, 'apps/cli/dist'));
        await writeFile(path.join(root, 'apps/cli/dist/main.js'), "import 'what was not installed';");
      },
    ],
  ])('down and status work without a build: %s', async (_why, breakBuild) => {
    await breakBuild();
    expect(await kiln(['down'])).toEqual({ code: 0, out: 'nothing runs\n', err: '' });
    const { code, out } = await kiln(['status', '--json']);
    expect([code, JSON.parse(out)]).toEqual([3, expect.objectContaining({ state: 'stopped', data_dir: path.join(root, '.kiln') })]);
    expect(await ran()).toEqual([]);
  });

  it('works from anywhere and through symbolic links, as kiln-eval too', async () => {
    await symlink(path.join(root, 'kiln-eval'), path.join(base, 'absolute'));
    await symlink('absolute', path.join(base, 'relative'));
    const { out } = await kiln(['list'], { file: path.join(base, 'relative'), cwd: base });
    expect(JSON.parse(out)).toMatchObject({ argv: ['eval', 'list'] });
  });

  it('installs again when the lock file changed, and not when it was only touched', async () => {
    await kiln();
    await later('package-lock.json');
    await kiln();
    expect(await ran()).toHaveLength(2);
    await writeFile(path.join(root, 'package-lock.json'), '{"changed":true}');
    await later('package-lock.json');
    await kiln();
    expect((await ran()).slice(2)).toEqual(['npm ci --include=dev --no-audit --no-fund', 'tsc']);
  });

  it('installs again after an install that was cut short', async () => {
    await kiln();
    await rm(path.join(root, 'node_modules/.package-lock.json'));
    await kiln();
    expect((await ran()).filter((line) => line.startsWith('npm'))).toHaveLength(2);
  });

  it.each(['apps/cli/src/main.ts', 'apps/cli/src', 'apps/cli/package.json', 'tsconfig.json'])(
    'builds again when %s changed',
    async (file) => {
      await kiln();
      await later(file);
      await kiln();
      expect((await ran()).slice(2)).toEqual(['tsc']);
    },
  );

  it('builds again when a build is gone', async () => {
    await kiln();
    await rm(path.join(root, 'apps/cli/dist'), { recursive: true });
    expect((await kiln()).code).toBe(0);
  });

  it('lets one of several starts at once install, and the others wait for it', async () => {
    const results = await Promise.all([1, 2, 3].map(() => kiln([], { env: { NPM_TAKES: '1' } })));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await ran()).toEqual(['npm ci --include=dev --no-audit --no-fund', 'tsc']);
  });

  it('is not stopped by the lock of a start that was killed', async () => {
    const killed = spawn(path.join(root, 'kiln'), [], { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: base, NOTES: notes, NPM_TAKES: '2' } });
    while ((await ran()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    killed.kill('SIGKILL');
    expect((await kiln()).code).toBe(0);
  });

  it('shows the end of the log when npm fails, and tries again the next time', async () => {
    const { code, err } = await kiln([], { env: { NPM_FAILS: '1' } });
    expect(code).toBe(1);
    expect(err).toMatch(/no such package\nkiln: npm ci failed; the whole log is in .*install\.log/);
    expect((await kiln()).code).toBe(0);
  });

  it.each([
    ['is not there', null, 'not found'],
    ['is too old', '#!/bin/sh\necho v20.18.1\n', 'found v20.18.1'],
    ['is between the releases that work', '#!/bin/sh\necho v22.3.0\n', 'found v22.3.0'],
  ])('says how to get Node when it %s', async (_what, script, found) => {
    await rm(path.join(bin, 'node'));
    // Only what the launcher itself needs: the machine's own Node must not be found.
    for (const tool of ['dirname', 'readlink', 'pwd', 'find', 'cat', 'head', 'sh', 'ls']) {
      await symlink(path.join('/usr/bin', tool), path.join(bin, tool)).catch(() => undefined);
    }
    if (script !== null) await writeFile(path.join(bin, 'node'), script, { mode: 0o755 });
    const { code, err } = await kiln([], { env: { PATH: bin } });
    expect(code).toBe(1);
    expect(err).toContain(`Node 20.19 or newer is needed (${found}`);
    expect(err).toContain('https://nodejs.org');
  });

  it('finds a Node that a version manager keeps, when the one on the PATH is too old', async () => {
    await rm(path.join(bin, 'node'));
    await writeFile(path.join(bin, 'node'), '#!/bin/sh\necho v18.20.0\n', { mode: 0o755 });
    const kept = path.join(base, '.nvm/versions/node/v22.12.0/bin');
    await mkdir(kept, { recursive: true });
    await symlink(process.execPath, path.join(kept, 'node'));
    expect((await kiln()).code).toBe(0);
  });

  it('says so when npm is missing', async () => {
    await rm(path.join(bin, 'npm'));
    for (const tool of [
      'dirname',
      'readlink',
      'find',
      'cat',
      'head',
      'mkdir',
      'rm',
      'rmdir',
      'cksum',
      'sh',
      'sleep',
      'date',
      'tail',
      'mv',
    ]) {
      await symlink(path.join('/usr/bin', tool), path.join(bin, tool)).catch(() => undefined);
    }
    const { code, err } = await kiln([], { env: { PATH: bin } });
    expect(code).toBe(1);
    expect(err).toContain('npm is missing');
  });
});
