import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.js';

const [X64, ARM64] = [0xc000_003e, 0xc000_00b7];
const [ALLOW, KILL] = [0x7fff_0000, 0x8000_0000];
const refusal = (errno: number) => 0x5_0000 + errno;

/** Classic BPF as Linux documents it (networking/filter.rst), for the five instructions that the filter uses. */
function run(program: Buffer, data: { number: number; machine: number; first?: number }): number {
  const seccompData = new Map([
    [0, data.number],
    [4, data.machine],
    [16, data.first ?? 0],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, value] = [program.readUInt16LE(at * 8), program.readUInt32LE(at * 8 + 4)];
    const jump = (holds: boolean) => (at += program.readUInt8(at * 8 + (holds ? 2 : 3)));
    if (code === 0x20) loaded = seccompData.get(value)!;
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x35) jump(loaded >= value);
    else if (code === 0x45) jump((loaded & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('ran past its end');
}

const x64 = seccompFilter('x64')!;
const arm64 = seccompFilter('arm64')!;

describe('seccompFilter', () => {
  it.each([
    ['read', { number: 0, machine: X64 }, ALLOW],
    ['ptrace', { number: 101, machine: X64 }, refusal(1)],
    ['io_uring_setup', { number: 425, machine: X64 }, refusal(1)],
    ['clone3', { number: 435, machine: X64 }, refusal(38)],
    ['clone of a thread', { number: 56, machine: X64, first: 0x3d_0f00 }, ALLOW],
    ['clone into a user namespace', { number: 56, machine: X64, first: 0x1000_0011 }, refusal(1)],
    ['a local socket', { number: 41, machine: X64, first: 1 }, ALLOW],
    ['an internet socket', { number: 41, machine: X64, first: 2 }, ALLOW],
    ['vsock', { number: 41, machine: X64, first: 40 }, refusal(97)],
    ['netlink', { number: 41, machine: X64, first: 16 }, refusal(97)],
    ['an x32 call', { number: 0x4000_0065, machine: X64 }, refusal(38)],
    ['a 32-bit call', { number: 26, machine: 0x4000_0003 }, KILL],
  ])('%s on x86-64', (_, call, answer) => expect(run(x64, call)).toBe(answer));

  it.each([
    ['read', { number: 63, machine: ARM64 }, ALLOW],
    ['ptrace', { number: 117, machine: ARM64 }, refusal(1)],
    ['clone of a process', { number: 220, machine: ARM64, first: 17 }, ALLOW],
    ['clone into a user namespace', { number: 220, machine: ARM64, first: 0x1000_0000 }, refusal(1)],
    ['vsock', { number: 198, machine: ARM64, first: 40 }, refusal(97)],
    ['an x86 call', { number: 0, machine: X64 }, KILL],
  ])('%s on arm64', (_, call, answer) => expect(run(arm64, call)).toBe(answer));

  it('is absent where the numbers are not known', () => {
    expect(seccompFilter('riscv64')).toBeNull();
    expect(seccompFilter('constructor')).toBeNull();
  });

  const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };
  it.skipIf(!existsSync(headers.x64) || !existsSync(headers.arm64))('has the numbers of the kernel’s headers', () => {
    const source = readFileSync(new URL('./seccomp-filter.ts', import.meta.url), 'utf8');
    const rows = [...source.matchAll(/^ {2}(\w+): \[(\d+), (\d+)\],$/gm)];
    expect(rows.length).toBeGreaterThan(40);
    for (const [column, header] of [headers.x64, headers.arm64].entries()) {
      const numbers = new Map(
        [...readFileSync(header, 'utf8').matchAll(/#define __NR3?264?_?(\w+)\s+(\d+)|#define __NR_(\w+)\s+(\d+)/g)].map((m) => [
          m[1] ?? m[3],
          m[2] ?? m[4],
        ]),
      );
      for (const row of rows) expect([row[1], numbers.get(row[1])]).toEqual([row[1], row[column + 2]]);
    }
  });
});
