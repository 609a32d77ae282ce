/**
 * Who may depend on whom, by the `layer:…` tag of each project's package.json. Read top to bottom: a layer knows only what
 * stands above it, apart from the few that may know their own kind.
 */
export const LAYERS = {
  statistics: [],
  contracts: [],
  /** Decides; no I/O, no clock, no randomness. */
  pure: ['statistics', 'contracts', 'pure'],
  /** What every process needs: configuration, logs, metrics. */
  service: ['contracts', 'service'],
  /** One technology each; never another adapter. */
  adapter: ['statistics', 'contracts', 'pure', 'service'],
  /** Joins adapters for one machine. */
  composition: ['statistics', 'contracts', 'pure', 'service', 'adapter'],
  /** A process; never another app. */
  app: ['statistics', 'contracts', 'pure', 'service', 'adapter', 'composition'],
  /** Real servers for tests. Only development dependencies lead here. */
  testing: ['statistics', 'contracts', 'pure', 'service', 'adapter', 'composition'],
} as const;

export type Layer = keyof typeof LAYERS;

export function isLayer(text: string): text is Layer {
  return Object.hasOwn(LAYERS, text);
}

/** Whether a project of layer `from` may depend on one of layer `to`; `development`: only its tests do. */
export function mayDepend(from: Layer, to: Layer, development: boolean): boolean {
  if (to === 'testing') return development;
  return (LAYERS[from] as readonly Layer[]).includes(to);
}
