import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Where everything of one machine's stack is kept. */
export interface StackPaths {
  readonly dataDir: string;
  /** Who runs the stack now, and where it answers. */
  readonly runFile: string;
  readonly lockFile: string;
  readonly credentialsFile: string;
  readonly logDir: string;
  readonly postgresData: string;
  readonly postgresPassword: string;
}

export function stackPaths(dataDir: string): StackPaths {
  const absolute = path.resolve(dataDir);
  const inside = (...parts: string[]): string => path.join(absolute, ...parts);
  return {
    dataDir: absolute,
    runFile: inside('run.json'),
    lockFile: inside('lock'),
    credentialsFile: inside('credentials'),
    logDir: inside('logs'),
    postgresData: inside('postgres', 'data'),
    postgresPassword: inside('postgres', 'password'),
  };
}

/** Makes the folders; nobody else may look inside. */
export async function makeStackFolders(paths: StackPaths): Promise<void> {
  for (const folder of [
    paths.dataDir,
    paths.logDir,
    path.dirname(path.dirname(paths.postgresData)),
    path.dirname(paths.postgresPassword),
  ]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}
