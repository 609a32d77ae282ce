import type { RunningStack } from '@kiln/stack';

/** Shows an API key that this start made; nothing for one that was there before. */
export function keyLines({ newKey, credentials }: Pick<RunningStack, 'newKey' | 'credentials'>, dataDir: string): string[] {
  if (!newKey) return [];
  return [`API key, shown this once, and kept in ${dataDir}/credentials for commands on this machine:`, `  ${credentials.api_key}`];
}
