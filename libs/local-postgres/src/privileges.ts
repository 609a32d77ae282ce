import { readFile, stat } from 'node:fs/promises';
import { KilnError } from '@kiln/contracts';
import type { Invocation } from './run-program.js';
import { runProgram } from './run-program.js';
import type { PostgresBinaries } from './locate-binaries.js';

/** A user and group that exist on this machine. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * How to run Postgres without being root, which it refuses:
 * - `plain`: we are not root, so just start it;
 * - `namespace`: in a user namespace that shows root as another user. Files stay root's own, so a folder below a 0700
 *   home is no obstacle and nothing is left behind that root cannot see at once;
 * - `user`: as another account, for machines where namespaces are forbidden (most containers). That account must be able
 *   to enter the folders, see `place-cluster.ts`.
 */
export type Privileges =
  | { readonly kind: 'plain' }
  | { readonly kind: 'namespace'; readonly account: Account }
  | { readonly kind: 'user'; readonly account: Account };

/** The command that runs `program` under these privileges. */
export function invocation(privileges: Privileges, program: string, args: readonly string[]): Invocation {
  switch (privileges.kind) {
    case 'plain':
      return { file: program, args };
    case 'namespace': {
      const { uid, gid } = privileges.account;
      return { file: 'unshare', args: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, program, ...args] };
    }
    case 'user':
      return { file: program, args, ...privileges.account };
  }
}

/**
 * Chooses the privileges for a cluster.
 *
 * @param dataDir  an existing cluster keeps being run by the account that owns it
 * @param allow    which ways root may use, in order of preference; tests narrow it
 * @throws KilnError `internal_error` when the cluster belongs to somebody else, or nothing works here
 */
export async function choosePrivileges(
  dataDir: string,
  binaries: PostgresBinaries,
  allow: readonly ('namespace' | 'user')[] = ['namespace', 'user'],
): Promise<Privileges> {
  const me = process.getuid?.();
  const owner = await stat(dataDir).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => null,
  );
  if (me !== 0) {
    if (me !== undefined && owner !== null && owner.uid !== me) throw ownedByAnother(dataDir, owner.uid, me);
    return { kind: 'plain' };
  }
  const account = await unprivilegedAccount();
  if (account !== null && allow.includes('namespace') && (owner === null || owner.uid === 0)) {
    const privileges: Privileges = { kind: 'namespace', account };
    const probe = await runProgram(invocation(privileges, binaries.initdb, ['--version']), 10_000);
    if (probe.ok) return privileges;
  }
  const user = owner === null ? account : owner;
  if (user === null || user.uid === 0 || !allow.includes('user')) {
    throw new KilnError('internal_error', 'Postgres refuses to run as root, and this machine offers no other way', {
      hint: 'start kiln as a user other than root, or set KILN_DATABASE_URL to a Postgres of your own',
    });
  }
  return { kind: 'user', account: user };
}

function ownedByAnother(dataDir: string, owner: number, me: number): KilnError {
  return new KilnError('internal_error', `the database in ${dataDir} belongs to user ${owner}, but this is user ${me}`, {
    hint: 'start kiln as that user, or move the .kiln folder away to begin with an empty database',
  });
}

/** initdb needs an account that has a name. Prefers Postgres's own, then the one that owns nothing. */
async function unprivilegedAccount(): Promise<Account | null> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const accounts = text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isSafeInteger(uid) && uid > 0 && Number.isSafeInteger(gid));
  const found = accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody') ?? accounts[0];
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}
