import { KilnError } from '@kiln/contracts';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { safeText } from '../terminal/safe-text.js';
import { examples } from './command-options.js';
import { databaseError } from './database-error.js';

interface MigrateFlags {
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addMigrateCommand(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('bring the database of a fleet to this version (kiln up does it by itself); several may run at once')
    .option('--database-url <url>', 'PostgreSQL URL; default: KILN_DATABASE_URL')
    .option('--json', 'print only JSON on standard output')
    .addHelpText('after', examples('kiln migrate --database-url postgres://kiln@db.example/kiln'))
    .action((flags: MigrateFlags) => migrateDatabase(context, flags));
}

async function migrateDatabase(context: CliContext, flags: MigrateFlags): Promise<void> {
  const url = flags.databaseUrl ?? context.env['KILN_DATABASE_URL'] ?? '';
  if (url === '') {
    throw new KilnError('eval_invalid_request', 'database_url: is not set', {
      path: 'database_url',
      hint: 'give --database-url or KILN_DATABASE_URL',
    });
  }
  const [{ migrate }, { migrateQueue }] = await Promise.all([import('@kiln/database'), import('@kiln/queue')]);
  const applied = await migrate(url).catch(refuse);
  // Harmless where messages travel through Redis, and then there is one thing less to remember when that changes.
  await migrateQueue(url).catch(refuse);
  if (flags.json === true) context.printJson({ applied });
  else context.print(applied.length === 0 ? 'nothing to do' : `applied ${applied.map((name) => safeText(name)).join(', ')}`);
}

function refuse(error: unknown): never {
  throw databaseError(error);
}
