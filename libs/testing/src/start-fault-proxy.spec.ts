import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startFaultProxy } from './start-fault-proxy.js';

describe('startFaultProxy', () => {
  const closing: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function echoBehindProxy() {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const proxy = await startFaultProxy((server.address() as { port: number }).port);
    closing.push(() => proxy.close());
    const client = connect(proxy.port, '127.0.0.1');
    closing.push(() => void client.destroy());
    const seen: string[] = [];
    client.on('data', (chunk) => seen.push(chunk.toString()));
    client.on('error', (error: NodeJS.ErrnoException) => seen.push(error.code ?? error.message));
    return { proxy, client, seen };
  }

  it('passes, swallows without a sign, and resets', async () => {
    const { proxy, client, seen } = await echoBehindProxy();
    client.write('one');
    await expect.poll(() => seen).toEqual(['one']);
    proxy.mode = 'blackHole';
    client.write('two');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([seen, client.destroyed]).toEqual([['one'], false]);
    proxy.mode = 'refuse';
    await expect.poll(() => seen).toEqual(['one', 'ECONNRESET']);
  });
});
