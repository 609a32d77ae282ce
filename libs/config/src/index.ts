export { type ConfigSources, loadConfig } from './load-config.js';
export { type Environment } from './environment-settings.js';
export { type Reload } from './reload.js';
export { type ConfigWatch, type ConfigWatchOptions, watchConfig } from './watch-config.js';
