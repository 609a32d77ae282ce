import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KilnError } from '@kiln/contracts';

/**
 * The file that an engine child runs: the compiled one beside this file, or, when this file runs from source (tests), the
 * one of the last build. Node cannot fork TypeScript.
 */
export function childProgram(): string {
  const here = fileURLToPath(import.meta.url);
  const directory = here.endsWith('.ts') ? join(dirname(here), '..', '..', 'dist', 'engine') : dirname(here);
  const program = join(directory, 'engine-child.js');
  if (!existsSync(program))
    throw new KilnError('internal_error', `${program} does not exist`, { hint: 'build first: npx tsc -b libs/inference' });
  return program;
}
