import { accessSync, appendFileSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const HOW_TO_GET: Readonly<Record<string, string>> = {
  'redis-server': 'Debian/Ubuntu: apt-get install redis-server; macOS: brew install redis',
  bwrap: 'Debian/Ubuntu: apt-get install bubblewrap',
  python3: 'Debian/Ubuntu: apt-get install python3; macOS: brew install python3',
  chromium: 'Debian/Ubuntu: apt-get install chromium',
  prometheus: 'Debian/Ubuntu: apt-get install prometheus',
};

export interface ProgramSkip {
  program: string;
  howToGet: string;
}

/**
 * Where a system program is, or null when the machine lacks it: use it as `describe.skipIf(requireProgram('x') === null)`.
 *
 * A missing program is never silent. With KILN_SKIPS_FILE set it is appended there as one JSON line (`ProgramSkip`), which the
 * test command prints at its end; with KILN_REQUIRE=all it throws.
 */
export function requireProgram(
  name: string,
  howToGet = HOW_TO_GET[name] ?? `put ${name} on the PATH`,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  const found = findOnPath(name, env['PATH'] ?? '');
  if (found !== null) return found;
  if (env['KILN_REQUIRE'] === 'all')
    throw new Error(`${name} is not on the PATH and KILN_REQUIRE=all does not allow skipping. ${howToGet}`);
  const skip: ProgramSkip = { program: name, howToGet };
  const file = env['KILN_SKIPS_FILE'];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify(skip)}\n`);
  return null;
}

function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here: try the next folder.
    }
  }
  return null;
}
