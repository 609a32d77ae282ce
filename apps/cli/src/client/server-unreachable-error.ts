import { KilnError } from '@kiln/contracts';

/** No server answers at the address. */
export class ServerUnreachableError extends KilnError {
  constructor(server: string, reason: string, cause: unknown) {
    super('internal_error', `no kiln server answers at ${server} (${reason})`, {
      hint: 'start one with ./kiln up, or name another with --server or KILN_SERVER_URL',
      cause,
    });
    this.name = 'ServerUnreachableError';
  }
}
