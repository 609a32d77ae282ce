import { type ShellCommand, splitShell } from './split-shell.js';

/** A simple command as far as comparing needs it. */
export interface ShellInvocation {
  /** Base name: `/usr/bin/git` is `git`, `python3.11` is `python`. Empty when there is none. */
  readonly program: string;
  /** The subcommand of a program that has them: `push` of `git push`. Empty otherwise. */
  readonly action: string;
  /** Code that is handed to an interpreter: `python -c '…'`, `node <<EOF`. */
  readonly inlineCode: { readonly language: string; readonly code: string } | null;
  readonly words: readonly string[];
  readonly heredocs: readonly string[];
}

const MAX_WRAPPERS = 4;
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const PYTHON = /^(?:python|pypy)[\d.]*$/;
/** Options that take the code of an interpreter. */
const CODE_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['python', new Set(['-c'])],
  ['node', new Set(['-e', '--eval', '-p', '--print'])],
  ['bun', new Set(['-e', '--eval'])],
  ['deno', new Set(['eval'])],
  ['ruby', new Set(['-e'])],
  ['perl', new Set(['-e', '-E'])],
  ['php', new Set(['-r'])],
]);
const ACTION_PROGRAMS_WITHOUT_OPTIONS = (
  'podman npm pnpm yarn npx pip pipx uv poetry conda cargo rustup go gh glab brew apt apt-get dnf yum apk pacman systemctl service ' +
  'launchctl aws gcloud az terraform ansible vagrant heroku vercel gradle mvn dotnet bundle gem rails composer mix nix snap flatpak hg ' +
  'svn bazel nx'
).split(' ');
/** Programs whose first word says what they do, with their options that take a value. */
const ACTION_PROGRAMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...ACTION_PROGRAMS_WITHOUT_OPTIONS.map((program): [string, ReadonlySet<string>] => [program, new Set()]),
  ['git', new Set(['-C', '-c', '--git-dir', '--work-tree'])],
  ['kubectl', new Set(['-n', '--namespace', '--context', '--kubeconfig'])],
  ['docker', new Set(['-H', '--host', '--context'])],
  ['helm', new Set(['-n', '--namespace', '--kube-context'])],
  ['make', new Set(['-C', '-f', '-j'])],
]);

/**
 * The simple commands of a script, unwrapped: leading assignments and `uv run` are dropped, and `bash -lc '…'` or a script that
 * is fed to a shell is replaced by what it runs, up to four times.
 */
export function readInvocations(script: string): ShellInvocation[] {
  return splitShell(script).flatMap((command) => unwrap(command, MAX_WRAPPERS));
}

function unwrap(command: ShellCommand, wrappersLeft: number): ShellInvocation[] {
  const words = withoutPrefix(command.words);
  const program = programName(words[0] ?? '');
  const inner = wrappersLeft > 0 && SHELLS.has(program) ? wrappedScript(words, command.heredocs) : null;
  if (inner !== null) return splitShell(inner).flatMap((wrapped) => unwrap(wrapped, wrappersLeft - 1));
  if (words.length === 0 && command.heredocs.length === 0) return [];
  return [
    {
      program,
      action: actionOf(program, words),
      inlineCode: inlineCode(program, words, command.heredocs),
      words,
      heredocs: command.heredocs,
    },
  ];
}

function withoutPrefix(words: readonly string[]): readonly string[] {
  let first = 0;
  for (;;) {
    if (ASSIGNMENT.test(words[first] ?? '')) first += 1;
    else if (words[first] === 'uv' && words[first + 1] === 'run') first += 2;
    else return words.slice(first);
  }
}

/** The script that a shell was handed as the argument of `-c` (also as `-lc`), or as a here-document; null when neither. */
function wrappedScript(words: readonly string[], heredocs: readonly string[]): string | null {
  const option = words.findIndex((word, index) => index > 0 && /^-[a-z]*c[a-z]*$/.test(word));
  if (option > 0 && words[option + 1] !== undefined) return words[option + 1] as string;
  const runsFile = words.slice(1).some((word) => !word.startsWith('-'));
  return !runsFile && heredocs.length > 0 ? heredocs.join('\n') : null;
}

function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return PYTHON.test(name) ? 'python' : name;
}

function actionOf(program: string, words: readonly string[]): string {
  const withValue = ACTION_PROGRAMS.get(program);
  if (!withValue) return '';
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index]!;
    if (withValue.has(word)) index += 1;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}

function inlineCode(program: string, words: readonly string[], heredocs: readonly string[]): ShellInvocation['inlineCode'] {
  const options = CODE_OPTIONS.get(program);
  if (!options) return null;
  const option = words.findIndex((word) => options.has(word));
  if (option >= 0 && words[option + 1] !== undefined) return { language: program, code: words[option + 1] as string };
  const runsFile = words.slice(1).some((word) => !word.startsWith('-'));
  return !runsFile && heredocs.length > 0 ? { language: program, code: heredocs.join('\n') } : null;
}
