import { readdir, readFile } from 'node:fs/promises';

const CLOSE_ON_EXEC = 0o2_000_000;

/**
 * File descriptors above the standard three that this process got from its parent and would pass on to its children: Node closes
 * those that follow each other from 0 and the ones it opens itself, but not a lone one further up.
 */
export async function inheritedDescriptors(): Promise<number[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const descriptors = names.map(Number).filter((descriptor) => descriptor > 2);
  const passedOn = await Promise.all(descriptors.map(isPassedOn));
  return descriptors.filter((_, index) => passedOn[index]);
}

async function isPassedOn(descriptor: number): Promise<boolean> {
  // The descriptor of the listing itself is gone by now.
  const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'latin1').catch(() => null);
  const flags = info === null ? undefined : /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

/** A command without these descriptors, before any other program of it starts. */
export function withoutDescriptors(
  descriptors: readonly number[],
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  if (descriptors.length === 0) return command;
  const closing = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ');
  return ['bash', '-c', `exec ${closing}; exec "$@"`, 'bash', ...command];
}
