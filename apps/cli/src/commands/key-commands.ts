import { CreateKeyRequest, KilnError, Scope, parseWith } from '@kiln/contracts';
import { type Command, Option } from 'commander';
import { allPages } from '../client/all-pages.js';
import type { CliContext } from '../cli-context.js';
import { ago } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { databaseError } from './database-error.js';
import { listOption } from './option-values.js';

type CreateFlags = ServerFlags & {
  readonly name: string;
  readonly scope: string[];
  readonly expires?: string;
  readonly databaseUrl?: string;
};

interface CreatedKey {
  readonly key: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
  readonly secret: string;
}

const COLUMNS = [
  { title: 'id' },
  { title: 'name' },
  { title: 'begins with' },
  { title: 'scopes' },
  { title: 'last used' },
  { title: 'state' },
] as const;

export function addKeyCommands(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('create').description('make an API key; its secret is shown once'))
    .requiredOption('--name <name>', 'who or what will use it')
    .addOption(
      new Option('--scope <scope>', `what it may do; may be repeated (${Scope.options.join(', ')})`)
        .argParser(listOption)
        .makeOptionMandatory(),
    )
    .option('--expires <instant>', 'when it stops working, such as 2027-01-31T00:00:00Z')
    .option('--database-url <url>', 'write it straight to the database: the first key of a fleet')
    .addHelpText(
      'after',
      examples(
        'kiln keys create --name trainer --scope eval:read --scope eval:run',
        'kiln keys create --name admin --scope ops --scope eval:write --database-url "$KILN_DATABASE_URL"',
      ),
    )
    .action((flags: CreateFlags) => createKey(context, flags));
  withServerFlags(parent.command('list').description('list API keys, revoked ones too'))
    .addHelpText('after', examples('kiln keys list'))
    .action((flags: ServerFlags) => listKeys(context, flags));
  withServerFlags(parent.command('revoke <id>').description('refuse a key from now on'))
    .addHelpText('after', examples('kiln keys revoke 0190c2f0-…'))
    .action((id: string, flags: ServerFlags) => revokeKey(context, id, flags));
}

async function createKey(context: CliContext, flags: CreateFlags): Promise<void> {
  const expires = expiryOf(flags.expires)?.toISOString() ?? null;
  const wanted = parseWith(CreateKeyRequest, { name: flags.name, scopes: flags.scope.map(scopeOf), expires_at: expires }, 'key');
  const made =
    flags.databaseUrl === undefined
      ? await (await context.client(flags)).call('createKey', { body: wanted })
      : await inDatabase(wanted, flags.databaseUrl);
  if (flags.json === true) return context.printJson(made);
  context.print(made.secret);
  context.note(
    `key ${made.key.id} for ${safeText(made.key.name)}: ${made.key.scopes.join(', ')}. This is the only time that its secret is shown.`,
  );
}

async function inDatabase({ name, scopes, expires_at: expires }: CreateKeyRequest, url: string): Promise<CreatedKey> {
  const { DEFAULT_PROJECT_ID, createApiKey, openDatabase } = await import('@kiln/database');
  const db = openDatabase(url, { max: 1, applicationName: 'kiln-cli' });
  try {
    const expiresAt = expires === null ? null : new Date(expires);
    const { key, token } = await createApiKey(
      db,
      { projectId: DEFAULT_PROJECT_ID, name, scopes, expiresAt },
      { actor: 'operator', source: 'cli' },
    );
    return { key: { id: key.id, name: key.name, scopes: key.scopes }, secret: token };
  } catch (error) {
    throw databaseError(error);
  } finally {
    await db.close();
  }
}

async function listKeys(context: CliContext, flags: ServerFlags): Promise<void> {
  const client = await context.client(flags);
  const keys = await allPages(async (cursor) => {
    const page = await client.call('listKeys', { query: { limit: 1000, cursor } });
    return { items: page.keys, next: page.next_cursor };
  });
  if (flags.json === true) return context.printJson({ keys });
  const now = Date.now();
  const rows = keys.map((key) => [
    key.id,
    safeText(key.name),
    key.prefix,
    key.scopes.join(' '),
    key.last_used_at === null ? 'never' : ago(key.last_used_at, now),
    key.revoked_at !== null ? 'revoked' : key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'valid',
  ]);
  context.print(...table(COLUMNS, rows));
}

async function revokeKey(context: CliContext, id: string, flags: ServerFlags): Promise<void> {
  const client = await context.client(flags);
  const key = await client.call('revokeKey', { params: { id } });
  if (flags.json === true) context.printJson(key);
  else context.print(`revoked ${safeText(key.name)} (${key.id})`);
}

function scopeOf(text: string): Scope {
  const scope = Scope.safeParse(text);
  if (scope.success) return scope.data;
  throw new KilnError('eval_invalid_request', `scope: ${JSON.stringify(text)} is no scope`, {
    path: 'scope',
    hint: `use some of ${Scope.options.join(', ')}`,
  });
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new KilnError('eval_invalid_request', `expires: ${JSON.stringify(text)} is no moment`, {
    path: 'expires',
    hint: 'write it like 2027-01-31T00:00:00Z',
  });
}
