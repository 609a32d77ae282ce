import { z } from 'zod';

/**
 * What an API key may do: read; write suites and verdicts; start jobs, which spends; operate (panic, schedules, keys,
 * purge); use the inference routes.
 */
export const Scope = z.enum(['eval:read', 'eval:write', 'eval:run', 'ops', 'serve']).meta({ id: 'Scope' });
export type Scope = z.infer<typeof Scope>;
