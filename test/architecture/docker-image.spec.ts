import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
const dockerfile = read('deploy/docker/Dockerfile');
const argument = (name: string): RegExpExecArray | null => new RegExp(`^ARG ${name}(?:=(.*))?$`, 'm').exec(dockerfile);

describe('the image with CUDA', () => {
  it('has the provider of the runtime that the lock file has', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    expect(argument('ORT_VERSION')?.[1]).toBe(packages['node_modules/onnxruntime-node']!.version);
  });

  it('asks for the hash of what it fetches, and fetches nothing else without one', () => {
    expect(argument('ORT_CUDA_SHA256')).toMatchObject({ 1: undefined });
    const fetches = [...dockerfile.matchAll(/^(?:ADD.*(?:\\\n.*)*https?:.*|.*\b(?:curl|wget)\b.*)/gm)];
    expect(fetches).toHaveLength(1);
    expect(fetches[0]![0]).toMatch(/^ADD --checksum=sha256:\$\{ORT_CUDA_SHA256\} /);
  });

  it('puts the libraries where the runtime looks for them', () => {
    const source = read('libs/inference/src/ort/ort-c-options.ts');
    const wanted = [...source.matchAll(/'(libonnxruntime_providers_\w+\.so)'/g)].map(([, file]) => file!);
    expect(wanted).toHaveLength(2);
    for (const file of wanted) expect(dockerfile).toContain(`runtimes/linux-x64/native/${file} `);
    expect(dockerfile).toMatch(/COPY --from=ort-cuda \S+ \/kiln\/node_modules\/onnxruntime-node\/bin\/napi-v6\/linux\/x64\/\n/);
  });

  it('starts a program that there is', () => {
    const [, program] = /^CMD \["(apps\/\w+)\/dist\/main\.js"\]$/m.exec(dockerfile)!;
    expect(read(`${program}/src/main.ts`)).not.toBe('');
  });
});
