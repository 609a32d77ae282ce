import { livingHolder } from './start-lock.js';
import { type RunRecord, isAlive, readRunRecord } from './run-record.js';
import { stackPaths } from './stack-paths.js';
import { readiness } from './wait-until-ready.js';

export interface StackStatus {
  /** `left_over`: its owner was killed and processes of it still run. */
  readonly state: 'ready' | 'not_ready' | 'starting' | 'left_over' | 'stopped';
  readonly url: string | null;
  readonly pid: number | null;
  readonly postgres_port: number | null;
  readonly started_at: string | null;
  readonly data_dir: string;
  /** What `/readyz` complains about. */
  readonly complaint: string | null;
  readonly processes: readonly { readonly name: string; readonly pid: number; readonly alive: boolean }[];
}

/** What runs in this folder now. */
export async function readStackStatus(dataDir: string): Promise<StackStatus> {
  const paths = stackPaths(dataDir);
  const [holder, record] = await Promise.all([livingHolder(paths.lockFile), readRunRecord(paths.runFile)]);
  const processes = await Promise.all(
    (record?.processes ?? []).map(async (recorded) => ({ name: recorded.name, pid: recorded.pid, alive: await isAlive(recorded) })),
  );
  const complaint = holder !== null && record?.state === 'ready' ? await readiness(record.url) : null;
  return {
    state: stateOf(
      holder !== null,
      record,
      complaint,
      processes.some(({ alive }) => alive),
    ),
    url: record === null || record.url === '' ? null : record.url,
    pid: holder?.pid ?? null,
    postgres_port: record?.postgres_port ?? null,
    started_at: record?.started_at ?? null,
    data_dir: paths.dataDir,
    complaint,
    processes,
  };
}

function stateOf(held: boolean, record: RunRecord | null, complaint: string | null, anyAlive: boolean): StackStatus['state'] {
  if (!held) return anyAlive ? 'left_over' : 'stopped';
  if (record?.state !== 'ready') return 'starting';
  return complaint === null ? 'ready' : 'not_ready';
}
