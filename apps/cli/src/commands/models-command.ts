import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { EXIT } from '../exit-code.js';
import { modelCheckLines } from '../report/model-check-lines.js';
import { snakeKeys } from '../terminal/snake-keys.js';
import { examples } from './command-options.js';
import { countOption } from './option-values.js';

interface CheckFlags {
  readonly adapter?: string;
  readonly threads: number;
  readonly json?: boolean;
}

export function addModelsCommands(parent: Command, context: CliContext): void {
  parent
    .command('check <directory>')
    .description('load and run the models in a directory, or one: what is refused, what changes their results, how fast they are')
    .option('--adapter <name>', 'answer with this adapter, and check the models that have it only')
    .option('--threads <n>', 'threads of the runtime', countOption, 1)
    .option('--json', 'print only JSON on standard output')
    .addHelpText(
      'after',
      examples('kiln models check models', 'kiln models check models/tiny-arith --adapter math-v2', 'kiln models check models --json'),
    )
    .action((directory: string, flags: CheckFlags) => check(context, directory, flags));
}

async function check(context: CliContext, directory: string, { adapter, threads, json }: CheckFlags): Promise<void> {
  const onProgress = (line: string) => (json === true ? undefined : context.note(`${line} …`));
  // Here, because no other command needs it.
  const { checkModelsInChild } = await import('@kiln/inference');
  const result = await checkModelsInChild(directory, { threads, onProgress, ...(adapter !== undefined && { adapter }) });
  if (json === true) context.printJson(snakeKeys(result));
  else context.print(...modelCheckLines(result, context.style));
  context.exitCode = result.ok ? EXIT.ok : EXIT.error;
}
