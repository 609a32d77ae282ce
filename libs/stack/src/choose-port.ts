import { KilnError } from '@kiln/contracts';
import { canListen, freePort } from '@kiln/local-postgres';

/** How many ports above the wanted one are tried before any free one will do. */
const NEIGHBOURS = 20;

/**
 * The port for the API: the wanted one, or when that is taken and `strict` is false, the next free one.
 * @throws KilnError `eval_invalid_request` when it is taken and `strict`
 */
export async function choosePort(host: string, wanted: number, strict: boolean, onProgress: (line: string) => void): Promise<number> {
  if (wanted !== 0 && (await canListen(wanted, host))) return wanted;
  if (strict && wanted !== 0) {
    throw new KilnError('eval_invalid_request', `port: ${wanted} on ${host} is in use`, {
      path: 'port',
      hint: 'choose another with --port or KILN_PORT, or leave it out to take the next free one',
    });
  }
  const port = await freePort(wanted + 1, wanted === 0 ? 0 : NEIGHBOURS);
  if (wanted !== 0) onProgress(`port ${wanted} is in use; taking ${port}`);
  return port;
}
