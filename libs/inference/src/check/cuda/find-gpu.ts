import { existsSync } from 'node:fs';

/** Where the driver shows a device: on Linux, in a container that was given one, and on Windows' Linux. */
const TRACES = ['/dev/nvidia0', '/proc/driver/nvidia/version', '/dev/dxg'];

/** A sign of an NVIDIA GPU on this machine; null when there is none. */
export function findGpu(exists: (path: string) => boolean = existsSync): string | null {
  return TRACES.find(exists) ?? null;
}
