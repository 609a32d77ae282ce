import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Writable } from 'node:stream';

/**
 * A second process that outlives the test process, kills the servers it started and removes their files.
 *
 * Test servers must not survive the tests, and an exit hook is not enough: vitest ends its workers with SIGTERM and half a
 * second later with SIGKILL, and a Postgres whose parent was killed lives on. So each test process keeps a pipe open to one
 * `sh`, which reads lines "+pid" and "-pid" from it. When the pipe closes, for whatever reason, it sends SIGQUIT (an
 * immediate shutdown for Postgres, which also frees its shared memory), then SIGKILL to what is left, and removes the
 * scratch folder.
 */
const GUARD_SCRIPT = `
folder=$1; pids=" "
lives() {
  kill -0 "$1" 2>/dev/null || return 1
  # Where no init reaps orphans, a dead server stays a zombie for ever.
  case $(cat "/proc/$1/stat" 2>/dev/null) in *') Z '*) return 1 ;; esac
}
while read -r line; do
  pid=\${line#?}
  case $line in
    +*) pids="$pids$pid " ;;
    -*) rest=\${pids#* $pid }; [ "$rest" = "$pids" ] || pids="\${pids%% $pid *} $rest" ;;
  esac
done
[ "$pids" = " " ] || kill -s QUIT $pids 2>/dev/null
tries=0
while [ $tries -lt 60 ]; do
  alive=
  for pid in $pids; do lives $pid && alive="$alive $pid"; done
  [ -z "$alive" ] && break
  tries=$((tries + 1)); sleep 0.05
done
[ -z "$alive" ] || kill -s KILL $alive 2>/dev/null
rm -rf "$folder"
`;

interface Guard {
  folder: string;
  pipe: Writable;
}

// Kept on globalThis because vitest may load this module more than once in a worker; there must be one guard per process.
const GUARD = Symbol.for('kiln.testing.guard');

function guard(): Guard {
  const slots = globalThis as { [GUARD]?: Guard };
  slots[GUARD] ??= startGuard();
  return slots[GUARD];
}

function startGuard(): Guard {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-test-'));
  // Servers may run as another user (Postgres refuses root): let it walk through, but not list.
  chmodSync(folder, 0o711);
  // `detached`: a Ctrl-C on the terminal reaches the tests and must not reach their guard.
  const shell = spawn('sh', ['-c', GUARD_SCRIPT, 'kiln-test-guard', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  shell.stdin.on('error', () => undefined);
  return { folder, pipe: shell.stdin };
}

/** A folder of this test process, removed when the process is gone. Under `os.tmpdir()`, passable for other users. */
export function scratchFolder(name: string): string {
  return mkdtempSync(join(guard().folder, `${name}-`));
}

/** Makes sure that a process does not outlive this one, however this one ends. Call it as soon as the process is there. */
export function guardProcess(pid: number, exited: Promise<unknown>): void {
  const { pipe } = guard();
  const forget = () => pipe.write(`-${pid}\n`);
  pipe.write(`+${pid}\n`);
  exited.then(forget, forget);
}

/** The same for a child of this process. */
export function guardChild(child: ChildProcess): void {
  if (child.pid === undefined) return;
  guardProcess(child.pid, new Promise((resolve) => child.once('exit', resolve)));
}
