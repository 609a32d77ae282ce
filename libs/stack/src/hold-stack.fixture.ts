import { sampleServices } from './sample-services.fixture.js';
import { startStack } from './start-stack.js';

// A process that runs a stack and then waits to be killed; start-stack.int.spec.ts runs it.
const [folder = ''] = process.argv.slice(2);
const stack = await startStack({
  root: folder,
  env: { PATH: process.env['PATH'] },
  dataDir: `${folder}/.kiln`,
  modelDir: `${folder}/models`,
  host: '127.0.0.1',
  port: 0,
  strictPort: false,
  databaseUrl: null,
  queueInDatabase: true,
  purpose: 'up',
  onProgress: () => undefined,
  services: sampleServices(folder),
});
process.send?.(stack.url);
process.on('SIGTERM', () => void stack.stop().then(() => process.exit(0)));
