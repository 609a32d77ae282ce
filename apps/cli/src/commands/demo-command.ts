import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { runDemo } from '../demo/run-demo.js';
import { stopSignals } from '../stack/stop-signals.js';
import { examples } from './command-options.js';

export function addDemoCommand(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description('compare the tiny model with its adapters: everything that kiln does, in a minute')
    .addHelpText('after', examples('kiln demo'))
    .action(() => demo(context));
}

async function demo(context: CliContext): Promise<void> {
  let kill = (): void => undefined;
  const signals = stopSignals(() => kill());
  try {
    await runDemo(context, signals, (endAll) => {
      kill = endAll;
    });
  } catch (error) {
    if (!signals.signal.aborted) throw error;
    context.note('stopped');
    context.exitCode = signals.exitCode();
  } finally {
    signals.dispose();
  }
}
