import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.js';

describe('childEnvironment', () => {
  it('asks for huge pages where models are run', () => {
    expect(childEnvironment('onnx', { PATH: '/bin' }, 'linux')).toEqual({
      PATH: '/bin',
      GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=33554432',
    });
  });

  it('leaves what the operator has set', () => {
    const { GLIBC_TUNABLES } = childEnvironment('onnx', { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0:glibc.malloc.check=1' }, 'linux');
    expect(GLIBC_TUNABLES).toBe(
      'glibc.malloc.hugetlb=0:glibc.malloc.check=1:glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=33554432',
    );
  });

  it('changes nothing for other children, nor on other systems', () => {
    const own = { PATH: '/bin' };
    expect(childEnvironment('echo', own, 'linux')).toBe(own);
    expect(childEnvironment('openai', own, 'linux')).toBe(own);
    expect(childEnvironment('onnx', own, 'darwin')).toBe(own);
  });
});
