import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KilnError } from '@kiln/contracts';

/**
 * A program of this library that runs in a process of its own: the compiled one beside this file or, when this file runs from source
 * (tests), the one of the last build. Node cannot fork TypeScript.
 * @param name of its file within the library, as `engine/engine-child.js`
 */
export function compiledProgram(name: string): string {
  const here = fileURLToPath(import.meta.url);
  const folder = here.endsWith('.ts') ? join(dirname(here), '..', 'dist') : dirname(here);
  const program = join(folder, name);
  if (!existsSync(program))
    throw new KilnError('internal_error', `${program} does not exist`, { hint: 'build first: npx tsc -b libs/inference' });
  return program;
}
