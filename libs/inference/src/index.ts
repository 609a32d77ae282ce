export * from './generator.js';
export { createEngine, type Engine, type EngineOptions, generatorKindOf } from './engine/create-engine.js';
export { EngineCrashed } from './engine/engine-crashed.js';
export { type GeneratorKind } from './engine/child-options.js';
export { echoPublication } from './models/echo-publication.js';
export { type ModelScan, type ScanOptions, scanModels } from './models/scan-models.js';
export { checkModels, type CheckOptions, type ModelCheck, type ModelsCheck } from './probe/index.js';
export { FileMemo } from './file-memo.js';
export { promptTokenBound } from './prompt-token-bound.js';
