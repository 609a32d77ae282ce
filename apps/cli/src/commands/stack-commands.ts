import { type StackStatus, readStackStatus, startStack, stopStack } from '@kiln/stack';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { EXIT } from '../exit-code.js';
import { keyLines } from '../stack/key-lines.js';
import { stackSettings } from '../stack/stack-settings.js';
import { stopSignals } from '../stack/stop-signals.js';
import { ago } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { examples } from './command-options.js';
import { portOption } from './option-values.js';

export function addStackCommands(program: Command, context: CliContext): void {
  program
    .command('up')
    .description('start everything on this machine, and stay (Ctrl-C stops it; data stays in .kiln)')
    .option('--port <port>', 'the API’s port; default 8420 or the next free one', portOption)
    .addHelpText('after', examples('kiln up', 'kiln up --port 9000', 'KILN_DATABASE_URL=postgres://… kiln up'))
    .action((flags: { port?: number }) => up(context, flags.port ?? null));
  program
    .command('down')
    .description('stop what kiln up started')
    .option('--json', 'print only JSON on standard output')
    .addHelpText('after', examples('kiln down'))
    .action((flags: { json?: boolean }) => down(context, flags.json === true));
  program
    .command('status')
    .description('what runs on this machine (exit code 3 when it is not ready)')
    .option('--json', 'print only JSON on standard output')
    .addHelpText('after', examples('kiln status', 'kiln status --json | jq -r .url'))
    .action((flags: { json?: boolean }) => status(context, flags.json === true));
}

async function up(context: CliContext, port: number | null): Promise<void> {
  const settings = stackSettings(context, port);
  let kill = (): void => undefined;
  const signals = stopSignals(() => {
    context.note('stopping at once');
    kill();
  });
  try {
    const stack = await startStack({
      ...settings,
      purpose: 'up',
      onProgress: (line) => context.note(line),
      signal: signals.signal,
    });
    kill = () => stack.kill();
    context.print(
      `kiln is up at ${context.style.bold(stack.url)} (API reference: ${stack.url}/docs)`,
      `data and logs are in ${settings.dataDir}; Ctrl-C or ./kiln down stops it`,
      ...keyLines(stack, settings.dataDir),
    );
    await signals.received;
    context.note('stopping …');
    await stack.stop();
    context.note('stopped');
  } catch (error) {
    if (!signals.signal.aborted) throw error;
    context.note('stopped');
  } finally {
    signals.dispose();
  }
}

async function down(context: CliContext, json: boolean): Promise<void> {
  const result = await stopStack(context.dataDir);
  if (json) return context.printJson(result);
  switch (result.result) {
    case 'stopped':
      return context.print(`stopped (process ${result.pid})`);
    case 'cleaned':
      return context.print(`its owner was gone; ended what it had left running: ${result.ended.join(', ')}`);
    case 'not_running':
      return context.print('nothing runs');
  }
}

async function status(context: CliContext, json: boolean): Promise<void> {
  const found = await readStackStatus(context.dataDir);
  if (found.state !== 'ready') context.exitCode = EXIT.unreachable;
  if (json) context.printJson(found);
  else context.print(...statusLines(found, Date.now()));
}

/** A status for people. @param now  milliseconds since 1970 */
export function statusLines(status: StackStatus, now: number): string[] {
  const lines = [headline(status, now)];
  if (status.complaint !== null) lines.push(`  ${safeText(status.complaint)}`);
  for (const { name, pid, alive } of status.processes) lines.push(`  ${name.padEnd(10)} process ${pid}${alive ? '' : ' (gone)'}`);
  return lines;
}

function headline({ state, url, started_at: startedAt, data_dir: dataDir }: StackStatus, now: number): string {
  const since = startedAt === null ? '' : `, started ${ago(startedAt, now)}`;
  switch (state) {
    case 'ready':
      return `ready at ${url}${since}`;
    case 'not_ready':
      return `running at ${url}${since}, but not ready:`;
    case 'starting':
      return `starting${since}`;
    case 'left_over':
      return 'not running, but an owner that was killed left processes behind (./kiln down ends them, ./kiln up too):';
    case 'stopped':
      return `nothing runs in ${dataDir}; start it with ./kiln up`;
  }
}
