import { describe, expect, it } from 'vitest';
import { findGpu } from './find-gpu.js';

describe('findGpu', () => {
  it.each([
    ['/dev/nvidia0', '/dev/nvidia0'],
    ['/dev/dxg', '/dev/dxg'],
    ['/dev/nvidia-modeset', null],
  ])('where there is %s: %s', (there, found) => {
    expect(findGpu((path) => path === there)).toBe(found);
  });
});
