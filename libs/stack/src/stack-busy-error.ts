import { KilnError } from '@kiln/contracts';
import type { RunRecord } from './run-record.js';
import type { LockHolder } from './start-lock.js';

/** Another living process runs the stack in this folder. */
export class StackBusyError extends KilnError {
  constructor(
    readonly holder: LockHolder,
    readonly record: RunRecord | null,
    dataDir: string,
  ) {
    const where = record !== null && record.url !== '' ? ` at ${record.url}` : '';
    super('internal_error', `kiln already runs${where}: process ${holder.pid} (kiln ${holder.purpose}) uses ${dataDir}`, {
      hint: 'use it as it is, or stop it with ./kiln down',
    });
    this.name = 'StackBusyError';
  }
}
