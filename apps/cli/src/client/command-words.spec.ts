import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../run-cli.js';
import { CliContext } from '../cli-context.js';
import { commandWords } from './command-words.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** Routes that no command stands for. */
const ONLY_HTTP = ['GET /v1/models', 'GET /v1/openapi.json'];

/** Strings in the sources of the API that tell somebody to call a route. */
function hintsWithRoutes(): string[] {
  const libs = readdirSync(path.join(ROOT, 'libs')).map((name) => `libs/${name}/src`);
  return ['apps/api/src', ...libs]
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(ROOT, folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .flatMap((line) => /(['`])((?:GET|POST|PUT|DELETE|No |Decide|Register|Start|Send force)[^'`]*)\1/.exec(line)?.[2] ?? [])
    .filter((text) => /\/v1\/|force=true/.test(text));
}

/** Every command that the program has, such as `kiln eval show`. */
function knownCommands(): string[] {
  const silent = { write: () => true };
  const program = buildProgram(new CliContext({ root: '/', version: '', env: {}, stdout: silent, stderr: silent }));
  return program.commands.flatMap((group) => group.commands.map((command) => `kiln ${group.name()} ${command.name()}`));
}

describe('commandWords', () => {
  it('says a route’s command', () => {
    expect(commandWords('GET /v1/keys lists the keys with their ids.')).toBe('kiln keys list lists the keys with their ids.');
    expect(commandWords('GET /v1/eval/jobs/{id}?wait=60 waits for its end.')).toBe('kiln eval show <job> --watch waits for its end.');
    expect(commandWords('lower it')).toBe('lower it');
  });

  it('leaves no route in a hint of the API that has a command', () => {
    const hints = hintsWithRoutes();
    expect(hints.length).toBeGreaterThan(6);
    const left = hints.map(commandWords).filter((hint) => /\/v1\/|force=true/.test(hint));
    expect(left.filter((hint) => !ONLY_HTTP.some((route) => hint.includes(route)))).toEqual([]);
  });

  it('names commands that there are', () => {
    const named = hintsWithRoutes().flatMap((hint) => commandWords(hint).match(/kiln (eval|keys) [a-z-]+/g) ?? []);
    expect(new Set(named).size).toBeGreaterThan(3);
    expect(knownCommands()).toEqual(expect.arrayContaining(named));
  });
});
