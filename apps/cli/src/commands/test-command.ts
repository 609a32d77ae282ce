import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { EXIT } from '../exit-code.js';
import { runTests } from '../tests/run-tests.js';
import { examples } from './command-options.js';

export function addTestCommand(program: Command, context: CliContext): void {
  program
    .command('test [what...]')
    .description('run the tests of this checkout: all, some sizes (unit, integration, e2e), or those whose path contains a text')
    .addHelpText('after', examples('kiln test', 'kiln test unit', 'kiln test integration libs/queue', 'KILN_REQUIRE=all kiln test'))
    .action(async (what: string[]) => {
      context.exitCode = (await runTests(context, what)) ? EXIT.ok : EXIT.error;
    });
}
