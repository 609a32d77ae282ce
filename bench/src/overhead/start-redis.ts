import { freePort } from '@kiln/local-postgres';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 10_000;

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts `redis-server` from the PATH with its append-only file, as a fleet would run it (fsync every second).
 *
 * @throws Error when it is not installed or does not start
 */
export async function startRedis(folder: string): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const onExit = (): void => void child.kill();
  process.once('exit', onExit);
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`redis-server does not start: ${(error as Error).message}`);
  });
  await Promise.race([failed, untilAnswers(port, child)]);
  failed.catch(() => undefined);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', onExit);
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilAnswers(port: number, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with exit code ${child.exitCode}`);
    if (await accepts(port)) return;
  }
  throw new Error(`redis-server does not accept connections after ${READY_MS / 1000} s`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
