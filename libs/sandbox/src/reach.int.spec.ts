import { requireProgram } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from './create-sandbox.js';
import { OPTIONS, pythonLines, ranIn } from './sandbox.fixture.js';

const sandbox = createSandbox(OPTIONS);
/** The same programs without a sandbox reach what they look for: so these tests can fail. */
const unconfined = createSandbox({ ...OPTIONS, mode: 'process' });

const folder = mkdtempSync(join(tmpdir(), 'kiln-reach-'));
const secretFile = join(folder, 'secret');
const SECRET = randomUUID();
writeFileSync(secretFile, SECRET);
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(requireProgram('bwrap') === null)('from inside the sandbox', () => {
  const paths = [
    secretFile,
    join(import.meta.dirname, 'index.ts'),
    '/etc/passwd',
    '/etc/shadow',
    homedir(),
    '/root',
    '/home',
    '/var',
    '/sys',
    '/run',
  ];
  const findReadable = `
import os
for path in ${JSON.stringify(paths)}:
    try:
        os.listdir(path) if os.path.isdir(path) else open(path).read()
        print(path)
    except OSError: pass
`;

  it("the host's files are not there", async () => {
    expect(await pythonLines(unconfined, findReadable)).toEqual(expect.arrayContaining([secretFile, paths[1], '/etc/passwd']));
    expect(await pythonLines(sandbox, findReadable)).toEqual([]);
  });

  it('no link leads to them', async () => {
    const follow = `
import os
os.symlink(${JSON.stringify(secretFile)}, 'link')
roots = ['link'] + [f'/proc/{pid}/{way}' + ${JSON.stringify(secretFile)} for pid in ('self', '1', '2') for way in ('root', 'cwd/../..', 'fd/0/../..')]
for path in roots:
    try:
        print(open(path).read())
    except OSError: pass
`;
    expect(await pythonLines(unconfined, follow)).toContain(SECRET);
    expect(await pythonLines(sandbox, follow)).toEqual([]);
  });

  it("the worker's environment is not to be seen", async () => {
    // Set before this process was started, so that it stands in /proc.
    const [name, value] = ['KILN_TEST_RUN', String(process.env['KILN_TEST_RUN'])];
    const search = `
import os
places = [repr(dict(os.environ))]
for pid in os.listdir('/proc'):
    for name in ('environ', 'cmdline'):
        try: places.append(open(f'/proc/{pid}/{name}').read())
        except OSError: pass
print('read', len(places))
mark = '='.join(${JSON.stringify([name, value])})
print('found', any(mark in place for place in places))
`;
    expect(await pythonLines(unconfined, search)).toContain('found True');
    const lines = await pythonLines(sandbox, search);
    expect(lines).toContain('found False');
    // Its own processes were looked at.
    expect(Number(lines[0]?.split(' ')[1])).toBeGreaterThan(4);
  });

  it('only its own processes exist', async () => {
    const { stdout } = await ranIn(sandbox, ['sh', '-c', 'ls /proc | grep -c "^[0-9]"; echo "$$"']);
    const [count, pid] = stdout.trim().split('\n').map(Number);
    expect(count).toBeLessThan(8);
    expect(pid).toBeLessThan(8);
  });

  it('no descriptor but the three standard ones is open', async () => {
    const { stdout } = await ranIn(sandbox, ['sh', '-c', 'ls /proc/$$/fd']);
    expect(stdout.split('\n').filter((name) => name !== '' && Number(name) < 10)).toEqual(['0', '1', '2']);
    // The shell keeps its own copies from 10 on; nothing from outside does.
    expect(await pythonLines(sandbox, 'import os\nfor f in os.listdir("/proc/self/fd"): print(f)')).toEqual(['0', '1', '2', '3']);
  });

  it('the system and the root are read-only', async () => {
    const name = randomUUID();
    const tryWrite = `
import os
for path in ('/x', '/usr/x', '/usr/bin/x', '/etc/x', '/dev/x', '/proc/x', '/bin/x', '/proc/sys/kernel/hostname', '/tmp/${name}', 'x'):
    try:
        open(path, 'w').write('x')
        print(path)
    except OSError: pass
`;
    expect(await pythonLines(sandbox, tryWrite)).toEqual([`/tmp/${name}`, 'x']);
    expect(existsSync(`/tmp/${name}`)).toBe(false);
  });

  it('no rights are to be had', async () => {
    const { stdout } = await ranIn(sandbox, ['sh', '-c', 'id -u; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status | tr -d "\\t"']);
    const zero = '0000000000000000';
    const caps = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}:${zero}`);
    expect(stdout.trim().split('\n')).toEqual(['65534', ...caps, 'NoNewPrivs:1', 'Seccomp:2']);
  });

  it('a set-uid program gives none', async () => {
    // `su` without a password works for root alone; -p keeps the shell from giving the rights back by itself.
    const script = 'cp /bin/sh s; chmod 6755 s; ./s -p -c "id -u; id -g"; su -c "echo root" </dev/null; chown 0 s; echo end';
    const { stdout } = await ranIn(sandbox, ['sh', '-c', script]);
    expect(stdout.trim().split('\n')).toEqual(['65534', '65534', 'end']);
  });

  it('the system calls that sandboxes are broken with are refused', async () => {
    const attempt = `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *args):
    ctypes.set_errno(0)
    got = getattr(libc, name)(*args)
    print(name, 'done' if got >= 0 else errno.errorcode[ctypes.get_errno()])
attempt('ptrace', 0, 0, 0, 0)
attempt('unshare', 0x10000000)
attempt('unshare', 0x40000000)
attempt('mount', b'none', b'/tmp', b'tmpfs', 0, None)
attempt('chroot', b'/tmp')
attempt('memfd_create', b'x', 0)
attempt('shmget', 0, 4096, 0o1600)
attempt('setuid', 0)
attempt('sethostname', b'x', 1)
attempt('syscall', 425, 8, None)
attempt('getppid')
`;
    expect(await pythonLines(sandbox, attempt)).toEqual([
      ...['ptrace', 'unshare', 'unshare', 'mount', 'chroot', 'memfd_create', 'shmget'].map((name) => `${name} EPERM`),
      'setuid EINVAL',
      'sethostname EPERM',
      'syscall EPERM',
      'getppid done',
    ]);
  });

  it('semaphores, which are shared memory, work', async () => {
    expect(await pythonLines(sandbox, 'import multiprocessing\nprint(multiprocessing.Lock().acquire())')).toEqual(['True']);
  });

  it('threads, which use clone too, work', async () => {
    const threads = 'import threading\nt = threading.Thread(target=print, args=("thread",))\nt.start()\nt.join()';
    expect(await pythonLines(sandbox, threads)).toEqual(['thread']);
  });
});

describe.skipIf(requireProgram('bwrap') === null)('the network', () => {
  let server: Server;
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const connect = () => `
import socket
try:
    socket.create_connection(('127.0.0.1', ${port}), 5).close()
    print('connected')
except OSError as error: print(type(error).__name__)
`;

  it('of the host is out of reach', async () => {
    expect(await pythonLines(unconfined, connect())).toEqual(['connected']);
    expect(connections).toBe(1);
    expect(await pythonLines(sandbox, connect())).toEqual(['ConnectionRefusedError']);
    expect(connections).toBe(1);
  });

  it('has no way out, no names, no other families', async () => {
    const attempt = `
import errno, socket
def show(name, action):
    try: print(name, action())
    except socket.gaierror: print(name, 'unresolved')
    except OSError as error: print(name, errno.errorcode[error.errno])
show('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53)))
show('tcp6', lambda: socket.create_connection(('2001:db8::1', 80), 5))
show('dns', lambda: socket.getaddrinfo('example.com', 80))
for family in ('AF_VSOCK', 'AF_NETLINK', 'AF_PACKET', 'AF_ALG'):
    show(family, lambda: socket.socket(getattr(socket, family), socket.SOCK_STREAM if family == 'AF_VSOCK' else socket.SOCK_RAW))
show('pair', lambda: len(socket.socketpair()))
`;
    expect(await pythonLines(sandbox, attempt)).toEqual([
      'udp ENETUNREACH',
      'tcp6 ENETUNREACH',
      'dns unresolved',
      'AF_VSOCK EAFNOSUPPORT',
      'AF_NETLINK EAFNOSUPPORT',
      'AF_PACKET EAFNOSUPPORT',
      'AF_ALG EAFNOSUPPORT',
      'pair 2',
    ]);
  });
});
