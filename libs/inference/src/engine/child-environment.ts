import { platform } from 'node:os';
import { type GeneratorKind } from './child-options.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How the C library allocates in a process that runs models. Weights are read from beginning to end for each token, and with pages of
 * 4 KiB the processor spends a third of that time on finding them. With these settings allocations lie together in huge pages, but
 * for those of 32 MiB and more, each of which is a mapping of its own and goes back to the system when it is freed.
 */
const HUGE_PAGES = {
  'glibc.malloc.hugetlb': '1',
  'glibc.malloc.arena_max': '1',
  'glibc.malloc.mmap_threshold': String(32 * 2 ** 20),
};

/**
 * The environment of an engine child. What is computed does not depend on it. Other C libraries, and kernels that have no huge pages,
 * ignore the settings; one that is set already stays.
 */
export function childEnvironment(kind: GeneratorKind, own: Environment, system = platform()): Environment {
  if (kind !== 'onnx' || system !== 'linux') return own;
  const set = own['GLIBC_TUNABLES'] ?? '';
  const isSet = (name: string) => set.split(':').some((setting) => setting.startsWith(`${name}=`));
  const missing = Object.entries(HUGE_PAGES).filter(([name]) => !isSet(name));
  const settings = [...(set === '' ? [] : [set]), ...missing.map((setting) => setting.join('='))];
  return { ...own, GLIBC_TUNABLES: settings.join(':') };
}
