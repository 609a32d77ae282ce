export { createSandbox, type Sandbox } from './create-sandbox.js';
export { type SandboxAvailability } from './sandbox-availability.js';
export { type SandboxOptions } from './sandbox-options.js';
