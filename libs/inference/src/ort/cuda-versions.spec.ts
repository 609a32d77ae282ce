import { expect, it } from 'vitest';
import { cudaVersions } from './cuda-versions.js';

const LISTING = `1034 libs found in cache
\tlibcudnn.so.9 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcudnn.so.9
\tlibcudnn.so.9 (libc6,x86-64) => /opt/other/libcudnn.so.9
\tlibcudart.so.12 (libc6,x86-64) => /usr/local/cuda/targets/x86_64-linux/lib/libcudart.so.12
\tlibcublasLt.so.12 (libc6,x86-64) => /usr/local/cuda/targets/x86_64-linux/lib/libcublasLt.so.12
`;
const FILES: Record<string, string> = {
  '/usr/lib/x86_64-linux-gnu/libcudnn.so.9': '/usr/lib/x86_64-linux-gnu/libcudnn.so.9.7.0',
  '/usr/local/cuda/targets/x86_64-linux/lib/libcudart.so.12': '/usr/local/cuda-12.8/targets/x86_64-linux/lib/libcudart.so.12.8.57',
  '/usr/local/cuda/targets/x86_64-linux/lib/libcublasLt.so.12': '/usr/local/cuda-12.8/targets/x86_64-linux/lib/libcublasLt.so.12.8.3.14',
};

it('reads versions from the files that the linker would take', async () => {
  expect(await cudaVersions(async () => LISTING, (async (path: string) => FILES[path]!) as never)).toEqual({
    'libcudart.so.12': '12.8.57',
    'libcublas.so.12': null,
    'libcublasLt.so.12': '12.8.3.14',
    'libcudnn.so.9': '9.7.0',
  });
});

it('says what to do where there is no ldconfig', async () => {
  await expect(cudaVersions(() => Promise.reject(new Error('spawn ldconfig ENOENT')))).rejects.toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining('ENOENT') as string,
    hint: expect.stringContaining('PATH') as string,
  });
});
