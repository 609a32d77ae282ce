import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { KilnError } from '@kiln/contracts';
import { freePort } from './free-port.js';
import { SUPERUSER, initialiseCluster } from './initialise-cluster.js';
import { type PostgresBinaries, locateBinaries } from './locate-binaries.js';
import { placeCluster } from './place-cluster.js';
import { readPostmasterFile } from './postmaster-file.js';
import { type Privileges, choosePrivileges, invocation } from './privileges.js';
import { spawnOptions } from './run-program.js';
import { type Leftover, stopLeftover } from './stop-leftover.js';

export interface LocalPostgresOptions {
  /** Absolute path of the cluster; created when absent. */
  readonly dataDir: string;
  /** Password of the superuser `kiln`. It is set when the cluster is created and must be the same ever after. */
  readonly password: string;
  /** TCP port; default: a free one. A restart asks for the port that clients already know. */
  readonly port?: number;
  /** Server settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False = do not wait for the disk when creating the cluster (tests). Default true. */
  readonly sync?: boolean;
  /** Receives what the server logs. */
  readonly onLog?: (text: string) => void;
  /** Ways in which root may run the server, and where it may move what another account must reach; tests set them. */
  readonly allow?: readonly ('namespace' | 'user')[];
  readonly relocationRoot?: string;
}

export interface LocalPostgres {
  readonly pid: number;
  /** TCP port on 127.0.0.1; there is no Unix socket. */
  readonly port: number;
  /** How it is kept from running as root. */
  readonly privileges: Privileges['kind'];
  /** What an earlier owner had left in the folder. */
  readonly leftover: Leftover;
  /** Connection URL of a database on it. Holds the password. */
  url(database: string): string;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Fast shutdown: ends sessions and writes a checkpoint. Kills the server if that takes longer. Idempotent. */
  stop(timeoutMs?: number): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const ATTEMPTS = 5;

/**
 * Starts the embedded Postgres 18 on 127.0.0.1. The caller must hold a lock on the folder: two starters at
 * once would stop each other's server. Works as root too, also below a 0700 home (see `privileges.ts`).
 *
 * @throws KilnError `internal_error` with the server's last words
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const located = await locateBinaries();
  const privileges = await choosePrivileges(options.dataDir, located, options.allow);
  const { binaries, dataDir } = await placeCluster(privileges, options.dataDir, located, options.relocationRoot);
  const leftover = await stopLeftover(dataDir);
  await initialiseCluster(dataDir, binaries, privileges, { password: options.password, sync: options.sync ?? true });

  let failure = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const started = await tryStart(dataDir, binaries, privileges, options);
    if (typeof started !== 'string') return handle(started, options.password, privileges.kind, leftover);
    failure = started;
    if (!isPassing(failure)) break;
    await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
  }
  throw new KilnError('internal_error', `Postgres did not start: ${failure.trim() || 'no reason given'}`, {
    hint: `its data is in ${dataDir}`,
  });
}

/**
 * Failures that another try can cure: somebody took the port in between, or the last sessions of a server that was
 * killed have not noticed yet.
 */
function isPassing(failure: string): boolean {
  return /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/.test(failure);
}

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly exited: LocalPostgres['exited'];
}

async function tryStart(
  dataDir: string,
  binaries: PostgresBinaries,
  privileges: Privileges,
  options: LocalPostgresOptions,
): Promise<Started | string> {
  const port = options.port ?? (await freePort());
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = invocation(privileges, binaries.postgres, ['-D', dataDir, '-p', String(port), ...flags]);
  // Its own process group: a Ctrl-C at the terminal must not stop the database before those who still write to it.
  const child = spawn(command.file, command.args, {
    ...spawnOptions(command),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      said = (said + text).slice(-4096);
      options.onLog?.(text);
    });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve({ code: null, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!gone && Date.now() < deadline) {
    // What pg_ctl waits for, and in no language: the server writes its state into its pid file.
    const file = await readPostmasterFile(dataDir);
    if (file?.pid === child.pid && file?.status === 'ready') return { child, port, exited };
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  if (!gone) {
    child.kill('SIGQUIT');
    await exited;
    said += `not ready after ${START_TIMEOUT_MS / 1000} s`;
  }
  return said;
}

function handle(started: Started, password: string, privileges: Privileges['kind'], leftover: Leftover): LocalPostgres {
  const { child, port, exited } = started;
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid as number,
    port,
    privileges,
    leftover,
    exited,
    url: (database) => `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    async stop(timeoutMs = 10_000) {
      if (!running()) return void (await exited);
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGQUIT'), timeoutMs);
      const last = setTimeout(() => child.kill('SIGKILL'), timeoutMs + 5000);
      if (running()) await once(child, 'exit');
      clearTimeout(timer);
      clearTimeout(last);
      await exited;
    },
  };
}
