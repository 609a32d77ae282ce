import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runCli } from './run-cli.js';

// Output that goes to a pipe whose reader has left (`kiln … | head`) is nobody's error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const root = path.resolve(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

process.exitCode = await runCli(process.argv.slice(2), {
  root,
  version,
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
