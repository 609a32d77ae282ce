import { KilnError } from '@kiln/contracts';
import { readCredentials, readRunRecord, stackPaths } from '@kiln/stack';

export const DEFAULT_PORT = 8420;

export interface ServerPlace {
  /** Base URL without a trailing slash. */
  readonly server: string;
  readonly apiKey: string | null;
}

export interface LocateOptions {
  /** `--server`. */
  readonly asked: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The data folder of this machine's stack. */
  readonly dataDir: string;
}

/**
 * Which server to talk to, and with which key: `--server`, then KILN_SERVER_URL, then the stack that runs from this
 * checkout, then port 8420 of this machine. KILN_API_KEY wins; the key of the stack in `.kiln` is only ever sent to this
 * machine.
 *
 * @throws KilnError `eval_invalid_request` when the address is no http(s) URL
 */
export async function locateServer({ asked, env, dataDir }: LocateOptions): Promise<ServerPlace> {
  const paths = stackPaths(dataDir);
  const named = asked ?? (env['KILN_SERVER_URL'] || undefined);
  const running = named === undefined ? await readRunRecord(paths.runFile) : null;
  const server = checked(named ?? (running !== null && running.url !== '' ? running.url : `http://127.0.0.1:${DEFAULT_PORT}`));
  const key = env['KILN_API_KEY'] || null;
  if (key !== null) return { server, apiKey: key };
  const credentials = isLocal(server) ? await readCredentials(paths.credentialsFile) : null;
  return { server, apiKey: credentials?.api_key ?? null };
}

function checked(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return text.replace(/\/+$/, '');
  throw new KilnError('eval_invalid_request', `server: ${JSON.stringify(text)} is no http or https URL`, {
    path: 'server',
    hint: `write it like http://127.0.0.1:${DEFAULT_PORT}`,
  });
}

function isLocal(server: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(server).hostname);
}
