import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that nobody listens on now. Another process may take it before it is used: callers that can
 * try again should.
 *
 * @param wanted  try this one first
 * @param tries   how many ports from `wanted` upwards to try before any free one will do; 0 = only a random one
 */
export async function freePort(wanted = 0, tries = 0): Promise<number> {
  for (let port = wanted; port < Math.min(wanted + tries, 65_536); port += 1) {
    if (await canListen(port)) return port;
  }
  const port = await listenOnce(0);
  if (port === null) throw new Error('no free TCP port on 127.0.0.1');
  return port;
}

/** Whether this process could listen on the port right now. */
export async function canListen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== null;
}

function listenOnce(port: number, host = '127.0.0.1'): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
