import { KilnError } from '@kiln/contracts';
import { Command, CommanderError } from 'commander';
import { CliContext, type CliSurroundings } from './cli-context.js';
import { examples } from './commands/command-options.js';
import { addDemoCommand } from './commands/demo-command.js';
import { addJobCommands } from './commands/job-commands.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addMigrateCommand } from './commands/migrate-command.js';
import { addOutcomesCommand } from './commands/outcomes-command.js';
import { addModelsCommands } from './commands/models-command.js';
import { addProbeCommand } from './commands/probe-command.js';
import { addProveCommand } from './commands/prove-command.js';
import { addReplayCommand } from './commands/replay-command.js';
import { addRerunCommand } from './commands/rerun-command.js';
import { addRescoreCommand } from './commands/rescore-command.js';
import { addStackCommands } from './commands/stack-commands.js';
import { addSubmitCommands } from './commands/submit-commands.js';
import { addSuiteCommands } from './commands/suite-commands.js';
import { addTestCommand } from './commands/test-command.js';
import { addVerdictCommand } from './commands/verdict-command.js';
import { EXIT, exitCodeOfError } from './exit-code.js';
import { safeText } from './terminal/safe-text.js';

/**
 * Runs one command line.
 * @param argv  arguments after the program's name
 * @returns the exit code; nothing is thrown
 */
export async function runCli(argv: readonly string[], surroundings: CliSurroundings): Promise<number> {
  const context = new CliContext(surroundings);
  try {
    await buildProgram(context).parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has printed its own: help that was asked for ends with 0, everything else was a bad command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    context.note(describeError(error));
    return exitCodeOfError(error);
  }
}

/** Every command with its options. */
export function buildProgram(context: CliContext): Command {
  const program = new Command('kiln')
    .description('Is this model, adapter, prompt or agent really better, and can we prove it?')
    .version(context.surroundings.version)
    .showHelpAfterError('(--help shows what is possible)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.surroundings.stdout.write(text),
      writeErr: (text) => context.surroundings.stderr.write(text),
    });
  addDemoCommand(program, context);
  addStackCommands(program, context);
  const evaluate = program.command('eval').description('suites, jobs and their results');
  evaluate.addHelpText(
    'after',
    examples(
      'kiln eval register --file my-suite.yaml',
      'kiln eval run --suite my-suite --watch',
      'kiln eval compare --suite my-suite --adapter "" --adapter math-v2 --min-accuracy 0.5 --watch',
      'kiln eval outcomes 0198… --kind fail',
    ),
  );
  addSuiteCommands(evaluate, context);
  addProveCommand(evaluate, context);
  addSubmitCommands(evaluate, context);
  addRescoreCommand(evaluate, context);
  addReplayCommand(evaluate, context);
  addRerunCommand(evaluate, context);
  addProbeCommand(evaluate, context);
  addJobCommands(evaluate, context);
  addOutcomesCommand(evaluate, context);
  addVerdictCommand(evaluate, context);
  addModelsCommands(program.command('models').description('local models'), context);
  const keys = program.command('keys').description('API keys');
  addKeyCommands(keys.addHelpText('after', examples('kiln keys create --name trainer --scope eval:read --scope eval:run')), context);
  addMigrateCommand(program, context);
  addTestCommand(program, context);
  program.addHelpText('after', examples('kiln demo', 'kiln up', 'kiln eval run --suite math-smoke --watch', 'kiln eval --help'));
  return program;
}

/** What went wrong and what to do, for a person. Words of the server, or of anything else, are made safe to show. */
function describeError(error: unknown): string {
  const known = error instanceof KilnError;
  const text = known ? `${error.message}${error.hint ? `\n  ${error.hint}` : ''}` : error instanceof Error ? error.stack : undefined;
  return `error: ${safeText(text ?? String(error), true)}`;
}
