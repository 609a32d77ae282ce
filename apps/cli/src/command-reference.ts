import { type Command, Help } from 'commander';
import { CliContext } from './cli-context.js';
import { EXIT } from './exit-code.js';
import { buildProgram } from './run-cli.js';

const INTRODUCTION = `\`kiln-eval X\` is the same program as \`kiln eval X\`. From a checkout, write \`./kiln\` and \`./kiln-eval\`. Every command has \`--help\`, with examples.

Results go to standard output, everything else to standard error. With \`--json\`, standard output holds JSON and nothing else.`;

const EXIT_MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'It worked. Of a watched compare with a gate: every candidate was `kept` or `promoted`.',
  error:
    'Something failed: a request was refused (401, 403, 409, 503), a job ended as `failed`, a verdict is `error`, a test failed, a checked model cannot be served.',
  badInput: 'The command line, a file or a request is wrong; the message names the field.',
  unreachable: 'No server answers, or it is not ready.',
  notFound: 'The suite, job, model or adapter does not exist.',
  inconclusive: 'The gate could not be decided: `inconclusive`.',
  gateFailed: 'The gate failed: `regression` or `demoted`.',
  stopped: 'The job was stopped: `capped` or `cancelled`.',
  replayMismatch: 'A replay gave other results.',
};

/** The command-line guide (`docs/cli.md`), made from the program itself, so that it cannot drift from it. */
export function commandReference(): string {
  const silent = { write: () => true };
  const program = buildProgram(new CliContext({ root: '/', version: '', env: {}, stdout: silent, stderr: silent }));
  const text = [
    '# Command line',
    'Generated from the program; do not edit.',
    INTRODUCTION,
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.entries(EXIT).map(([name, code]) => [String(code), EXIT_MEANINGS[name as keyof typeof EXIT]]),
    ),
    'A command that a signal ended has 128 and the signal’s number. Of several candidates the worst decides: failed before undecidable before inconclusive.',
    ...leaves(program).flatMap(({ path, command }) => commandText(path, command)),
  ];
  return `${text.join('\n\n')}\n`;
}

/** The commands that do something, in the order of the help; groups such as `kiln eval` only hold others. */
function leaves(command: Command, parents: string[] = []): { path: string; command: Command }[] {
  const path = [...parents, command.name()];
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((child) => leaves(child, path));
}

function commandText(path: string, command: Command): string[] {
  const help = new Help();
  const values = command.registeredArguments.map((argument) => {
    const dots = argument.variadic ? '...' : '';
    return argument.required ? `<${argument.name()}${dots}>` : `[${argument.name()}${dots}]`;
  });
  const rows = command.options.map((option) => [`\`${option.flags}\``, help.optionDescription(option), option.mandatory ? 'yes' : '']);
  return [
    `## ${path}`,
    `${capital(command.description())}.`,
    `\`${[path, ...(rows.length > 0 ? ['[options]'] : []), ...values].join(' ')}\``,
    ...(rows.length > 0 ? [table(['Option', '', 'Required'], rows)] : []),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
