import { type EngineKind } from '@kiln/contracts';

/**
 * The model of requests that name none: the configured one, else the only one that is served besides the echo.
 *
 * @param served names of served models, at least two of those that are not the echo where there are so many
 * @returns null when there is none, or more than one
 */
export function defaultModelName(configured: string | null, served: readonly { name: string; engine: EngineKind }[]): string | null {
  if (configured !== null) return configured;
  const [only, ...others] = served.filter(({ engine }) => engine !== 'echo');
  return only && others.length === 0 ? only.name : null;
}
