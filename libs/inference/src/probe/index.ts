/** Probes and checks of local models. Loads the runtime into the process that imports it, unlike the library's main entry. */
export { checkModels, type CheckOptions } from './check-models.js';
export { type MachineLimits, measureMachine } from './machine-limits.js';
export { type LayoutFacts, type ModelCheck, type ModelsCheck, type SpeedCheck } from './model-check.js';
