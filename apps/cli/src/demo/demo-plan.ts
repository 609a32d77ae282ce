import type { CompareBody } from '../commands/job-request.js';

/** The model that comes with the repository. */
export const DEMO_MODEL = 'tiny-arith';

/**
 * What the demo measures: the tiny model without an adapter against its three adapters, of which one helps, one changes
 * next to nothing and one does harm. The floor is low enough for the tests to decide.
 */
export const DEMO_COMPARE = {
  suite: 'arithmetic-200',
  model: DEMO_MODEL,
  adapters: ['', 'math-v2', 'add-only-v1', 'chat-overfit-v1'],
  baseline: '',
  seed: '42',
  gate: { policy: 'paired_wilson_v1', min_accuracy: 0.25 },
} as const satisfies Omit<CompareBody, 'adapters'> & { adapters: readonly string[] };

/** The last lines of the demo. @param stays  whether the server goes on running */
export function nextSteps(url: string, stays: boolean): string[] {
  const start = stays
    ? `The server goes on at ${url} (API reference: ${url}/docs).`
    : `The server was at ${url}, and ./kiln up starts it again with these results.`;
  return [
    start,
    'Next:',
    ...(stays ? [] : ['  ./kiln up                                            keep it running']),
    '  ./kiln eval probe --prompt "47 + 138?" --target 185 --scorer numeric',
    '  ./kiln eval run --suite math-smoke --adapter math-v2 --watch',
    ...(stays ? ['  ./kiln eval jobs                                     everything that was measured'] : []),
  ];
}
