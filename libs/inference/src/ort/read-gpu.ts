import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { KilnError } from '@kiln/contracts';

/** What the driver says of a GPU. */
export interface Gpu {
  readonly name: string;
  readonly driver: string;
  readonly computeCapability: string;
  readonly memoryBytes: number;
}

const QUERY = 'name,driver_version,compute_cap,memory.total';
const MIB = 2 ** 20;

/** @param ask for the answer of nvidia-smi. @throws KilnError `internal_error` */
export async function readGpu(deviceId: number, ask: (deviceId: number) => Promise<string> = nvidiaSmi): Promise<Gpu> {
  try {
    return parseGpu(await ask(deviceId));
  } catch (cause) {
    throw new KilnError('internal_error', `nvidia-smi does not tell what GPU ${deviceId} is: ${(cause as Error).message.trim()}`, {
      hint: 'it comes with the driver; in a container, NVIDIA_DRIVER_CAPABILITIES must have "utility" besides "compute"',
      cause,
    });
  }
}

async function nvidiaSmi(deviceId: number): Promise<string> {
  const { stdout } = await promisify(execFile)('nvidia-smi', [`--id=${deviceId}`, `--query-gpu=${QUERY}`, '--format=csv,noheader,nounits']);
  return stdout;
}

function parseGpu(answer: string): Gpu {
  const [name, driver, computeCapability, mebibytes, ...rest] = answer.trim().split(/, */);
  const memoryBytes = Number(mebibytes) * MIB;
  if (rest.length > 0 || !name || !driver || !/^\d+\.\d+$/.test(computeCapability ?? '') || !(memoryBytes > 0)) {
    throw new Error(`it answers ${JSON.stringify(answer)}`);
  }
  return { name, driver, computeCapability: computeCapability!, memoryBytes };
}
