import { spawn } from 'node:child_process';

/** How to start a program of Postgres so that it does not run as root. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The whole environment of every Postgres program. Nothing is inherited: a stray PGDATA, PGPORT or PGOPTIONS would
 * change what is started, and LC_ALL decides the language of messages.
 */
export const POSTGRES_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** What spawn needs for an invocation, apart from its stdio. The working folder is one that every user can enter. */
export function spawnOptions(invocation: Invocation): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const { uid, gid } = invocation;
  return {
    cwd: '/',
    env: { ...POSTGRES_ENVIRONMENT },
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  };
}

/**
 * Runs a program to its end. Never rejects: a program that cannot be started (missing, or in a folder that the other
 * user cannot enter) is a failure like any other.
 */
export function runProgram(invocation: Invocation, timeoutMs = 60_000): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-8192);
    };
    const child = spawn(invocation.file, invocation.args, {
      ...spawnOptions(invocation),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    child.once('close', (code, signal) => {
      resolve({ ok: code === 0, output: signal === null ? output : `${output}ended by ${signal}` });
    });
  });
}
