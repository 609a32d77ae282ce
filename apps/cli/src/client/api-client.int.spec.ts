import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KilnError } from '@kiln/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from './api-client.js';
import { locateServer } from './locate-server.js';
import { ServerUnreachableError } from './server-unreachable-error.js';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

describe('ApiClient', () => {
  let server: Server;
  let url: string;
  let seen: Seen[];
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ request, body });
        answer(response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const json = (status: number, value: unknown) => (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

  it('sends parameters, query, key and body where the route has them, and reads the answer by its schema', async () => {
    answer = json(200, { job_id: 'j', state: 'queued', effective_seed: '7', message: 'ok', later_field: 1 });
    const client = new ApiClient(url, 'kiln_secret');
    expect(await client.call('submitRun', { body: { suite: 's', seed: '7' }, headers: { 'idempotency-key': 'k' } })).toEqual({
      job_id: 'j',
      state: 'queued',
      effective_seed: '7',
      message: 'ok',
    });
    const [{ request, body }] = seen as [Seen];
    expect([request.method, request.url]).toEqual(['POST', '/v1/eval/run']);
    expect(request.headers).toMatchObject({
      authorization: 'Bearer kiln_secret',
      'content-type': 'application/json',
      'idempotency-key': 'k',
    });
    expect(JSON.parse(body)).toEqual({ suite: 's', seed: '7' });
  });

  it('encodes what a person typed into a path, and repeats a query field', async () => {
    answer = json(404, { error: { code: 'eval_job_not_found', message: 'no such job', hint: null } });
    const client = new ApiClient(url, null);
    await expect(client.call('getJob', { params: { id: '../keys?x' } })).rejects.toMatchObject({ code: 'eval_job_not_found', status: 404 });
    await client.call('listJobs', { query: { state: ['running', 'queued'], kind: undefined } }).catch(() => undefined);
    expect(seen.map(({ request }) => request.url)).toEqual(['/v1/eval/jobs/..%2Fkeys%3Fx', '/v1/eval/jobs?state=running&state=queued']);
    expect(seen[0]?.request.headers.authorization).toBeUndefined();
  });

  it('passes on what the server says is wrong, and adds where a key comes from', async () => {
    const client = new ApiClient(url, null);
    answer = json(400, { error: { code: 'eval_invalid_request', message: 'seed: too large', hint: 'lower it' } });
    await expect(client.call('listSuites')).rejects.toMatchObject({ message: 'seed: too large', hint: 'lower it' });
    answer = json(404, { error: { code: 'eval_job_not_found', message: 'no job', hint: 'GET /v1/eval/jobs lists the jobs.' } });
    await expect(client.call('listSuites')).rejects.toMatchObject({ hint: 'kiln eval jobs lists the jobs.' });
    answer = json(401, { error: { code: 'unauthorized', message: 'no key', hint: null } });
    await expect(client.call('listSuites')).rejects.toMatchObject({ hint: expect.stringContaining('KILN_API_KEY') as unknown });
  });

  it('says so when something that is no kiln server answers', async () => {
    answer = (response) => response.writeHead(502).end('<html>Bad gateway</html>');
    await expect(new ApiClient(url, null).call('listSuites')).rejects.toThrow(/answered 502 .*Bad gateway/);
    answer = json(200, { hello: 'world' });
    await expect(new ApiClient(url, null).call('listSuites')).rejects.toBeInstanceOf(KilnError);
  });

  it('tells a server that does not answer from one that is not there', async () => {
    answer = () => undefined;
    const slow = new ApiClient(url, null).call('listSuites', { timeoutMs: 100 });
    await expect(slow).rejects.toThrow(/no answer within 0.1 s/);
    await expect(new ApiClient('http://127.0.0.1:2', null).call('listSuites')).rejects.toThrow(/connection refused/);
    await expect(new ApiClient('http://127.0.0.1:2', null).call('listSuites')).rejects.toBeInstanceOf(ServerUnreachableError);
  });

  it('counts an answer that breaks off, or stops, in its body as none', async () => {
    const client = new ApiClient(url, null);
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"suites":');
      setImmediate(() => response.destroy());
    };
    await expect(client.call('listSuites')).rejects.toBeInstanceOf(ServerUnreachableError);
    answer = (response) => response.writeHead(200).write('{"suites":');
    await expect(client.call('listSuites', { timeoutMs: 100 })).rejects.toThrow(/no answer within 0.1 s/);
  });

  it('streams a file as it is', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kiln-upload-'));
    try {
      const file = path.join(folder, 'suite.jsonl');
      const content = '{"name":"x"}\n'.repeat(200_000);
      writeFileSync(file, content);
      answer = json(409, { error: { code: 'eval_suite_exists', message: 'exists', hint: null } });
      const stream = { mediaType: 'application/jsonl', content: createReadStream(file) };
      await expect(new ApiClient(url, null).call('registerSuite', { stream })).rejects.toMatchObject({ code: 'eval_suite_exists' });
      expect(seen[0]?.body).toBe(content);
      expect(seen[0]?.request.headers['content-type']).toBe('application/jsonl');
      expect(seen[0]?.request.headers['transfer-encoding']).toBe('chunked');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('locateServer', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'kiln-place-'));
    writeFileSync(path.join(dataDir, 'credentials'), JSON.stringify({ api_key: 'kiln_local', key_id: 'k', created_at: '' }));
  });

  afterEach(() => rmSync(dataDir, { recursive: true }));

  const locate = (env: Record<string, string> = {}, asked?: string) => locateServer({ asked, env, dataDir });

  it('prefers what was asked for, then the environment, then the running stack, then the default port', async () => {
    expect((await locate()).server).toBe('http://127.0.0.1:8420');
    writeFileSync(path.join(dataDir, 'run.json'), JSON.stringify({ pid: 1, url: 'http://127.0.0.1:8427', processes: [] }));
    expect((await locate()).server).toBe('http://127.0.0.1:8427');
    expect((await locate({ KILN_SERVER_URL: 'https://kiln.example/' })).server).toBe('https://kiln.example');
    expect((await locate({ KILN_SERVER_URL: 'https://kiln.example' }, 'http://localhost:1')).server).toBe('http://localhost:1');
  });

  it('sends the key of this machine to this machine only', async () => {
    expect((await locate()).apiKey).toBe('kiln_local');
    expect((await locate({}, 'http://localhost:9000')).apiKey).toBe('kiln_local');
    expect((await locate({}, 'https://kiln.example')).apiKey).toBeNull();
    expect((await locate({}, 'http://127.0.0.1.evil.example')).apiKey).toBeNull();
    expect((await locate({ KILN_API_KEY: 'kiln_other' })).apiKey).toBe('kiln_other');
  });
});
