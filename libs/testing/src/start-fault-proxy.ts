import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to bytes: `pass` forwards them; `blackHole` drops them while the connections stay open (a half-open TCP
 * connection: nobody is told); `refuse` resets live connections and closes new ones at once.
 */
export type FaultMode = 'pass' | 'blackHole' | 'refuse';

/** A TCP proxy on 127.0.0.1 in front of a server, to break one link and no other. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const proxy = new FaultProxy(targetPort);
  await proxy.listen();
  return proxy;
}

export class FaultProxy {
  readonly #targetPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: FaultMode = 'pass';

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((inbound) => this.#accept(inbound));
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return address.port;
  }

  get mode(): FaultMode {
    return this.#mode;
  }

  set mode(mode: FaultMode) {
    this.#mode = mode;
    if (mode === 'refuse') for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => resolve());
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(inbound: Socket): void {
    if (this.#mode === 'refuse') {
      inbound.on('error', () => undefined);
      inbound.resetAndDestroy();
      return;
    }
    const outbound = connect(this.#targetPort, '127.0.0.1');
    this.#forward(inbound, outbound);
    this.#forward(outbound, inbound);
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk) => {
      if (this.#mode === 'pass') to.write(chunk);
    });
    from.on('close', () => {
      this.#sockets.delete(from);
      // In a black hole the other side must not notice either.
      if (this.#mode !== 'blackHole') to.destroy();
    });
  }
}
