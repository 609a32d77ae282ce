// `./kiln down` and `./kiln status` where no build can run: a server outlives the build that it was started from. Needs
// nothing but Node. The program itself (libs/stack) does more: it ends what a killed owner left behind.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than an orderly stop may take. */
const STOP_MS = 60_000;

const [root = '.', command, ...options] = process.argv.slice(2);
const json = options.includes('--json');
const dataDir = path.resolve(root, process.env.KILN_DATA_DIR || '.kiln');

if (options.some((option) => option !== '--json')) {
  console.error(`error: there is no build that runs; without one, kiln ${command} takes no option but --json`);
  process.exitCode = 2;
} else if (command === 'down') await down();
else await status();

async function down() {
  const holder = livingHolder();
  if (holder === null) {
    const left = processes().filter(({ alive }) => alive);
    if (left.length === 0) return print({ result: 'not_running' }, 'nothing runs');
    console.error('error: an owner that was killed left processes behind; ./kiln down ends them once there is a build:');
    console.error(left.map(({ name, pid }) => `  ${name} (process ${pid})`).join('\n'));
    process.exitCode = 1;
    return;
  }
  process.kill(holder.pid, 'SIGTERM');
  for (const end = Date.now() + STOP_MS; isAlive(holder) && Date.now() < end;) await sleep(20);
  if (!isAlive(holder)) return print({ result: 'stopped', pid: holder.pid }, `stopped (process ${holder.pid})`);
  console.error(`error: process ${holder.pid} does not stop; end it with \`kill -9 ${holder.pid}\``);
  process.exitCode = 1;
}

async function status() {
  const [holder, record] = [livingHolder(), read('run.json')];
  const url = typeof record?.url === 'string' && record.url !== '' ? record.url : null;
  const complaint = holder !== null && record?.state === 'ready' ? await complaintOf(url) : null;
  const left = processes();
  const state = stateOf(holder, record, complaint, left);
  if (state !== 'ready') process.exitCode = 3;
  print(
    {
      state,
      url,
      pid: holder?.pid ?? null,
      postgres_port: record?.postgres_port ?? null,
      started_at: record?.started_at ?? null,
      data_dir: dataDir,
      complaint,
      processes: left.map(({ name, pid, alive }) => ({ name, pid, alive })),
    },
    `${state}${holder === null || url === null ? '' : ` at ${url}`}${complaint === null ? '' : ` (${complaint.replaceAll(/[^ -~]/g, '?')})`}`,
  );
}

function stateOf(holder, record, complaint, left) {
  if (holder === null) return left.some(({ alive }) => alive) ? 'left_over' : 'stopped';
  if (record?.state !== 'ready') return 'starting';
  return complaint === null ? 'ready' : 'not_ready';
}

async function complaintOf(url) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    const text = await response.text();
    return response.status === 200 ? null : `${response.status} ${text.slice(0, 500)}`;
  } catch (error) {
    return error.message;
  }
}

/** Who runs the stack; null when nobody does. */
function livingHolder() {
  const holder = read('lock');
  return holder !== null && isAlive(holder) ? holder : null;
}

function processes() {
  const recorded = read('run.json')?.processes;
  return Array.isArray(recorded) ? recorded.map((process) => ({ ...process, alive: isAlive(process) })) : [];
}

function isAlive({ pid, start_mark: mark }) {
  return Number.isSafeInteger(pid) && pid > 0 && startMark(pid) === mark;
}

/** The mark that libs/local-postgres tells a process from a later one with the same pid by; null when there is none. */
function startMark(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X'
        ? null
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
    }
    const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };
    const text = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env, encoding: 'utf8' }).trim();
    const [, state = '', start = null] = /^(\S+)\s+(.*)$/s.exec(text) ?? [];
    return state.startsWith('Z') ? null : start;
  } catch {
    return null;
  }
}

function read(name) {
  try {
    const value = JSON.parse(readFileSync(path.join(dataDir, name), 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function print(value, text) {
  console.log(json ? JSON.stringify(value, null, 2) : text);
}
