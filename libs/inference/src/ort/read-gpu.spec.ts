import { describe, expect, it } from 'vitest';
import { readGpu } from './read-gpu.js';

describe('readGpu', () => {
  it('reads what nvidia-smi answers', async () => {
    const asked: number[] = [];
    const ask = async (deviceId: number) => (asked.push(deviceId), 'NVIDIA H200, 550.54.15, 9.0, 143771\n');
    expect(await readGpu(3, ask)).toEqual({
      name: 'NVIDIA H200',
      driver: '550.54.15',
      computeCapability: '9.0',
      memoryBytes: 143_771 * 1024 * 1024,
    });
    expect(asked).toEqual([3]);
  });

  it.each(['', 'No devices were found', 'NVIDIA H200, 550.54.15, [N/A], 143771', 'NVIDIA H200, 550.54.15, 9.0, [N/A]', 'a, b, 9.0, 1, 2'])(
    'says what it does not understand: %j',
    async (answer) => {
      await expect(readGpu(0, async () => answer)).rejects.toMatchObject({
        code: 'internal_error',
        message: expect.stringContaining('GPU 0') as string,
      });
    },
  );

  it('says what to do where there is no nvidia-smi', async () => {
    const ask = () => Promise.reject(new Error('spawn nvidia-smi ENOENT'));
    await expect(readGpu(0, ask)).rejects.toMatchObject({
      message: expect.stringContaining('ENOENT') as string,
      hint: expect.stringContaining('NVIDIA_DRIVER_CAPABILITIES') as string,
    });
  });
});
