import { z } from 'zod';

/** Keep the change or revert it: did all, the train and the held-out examples improve? It has no thresholds to set. */
export const HillclimbGate = z.strictObject({ policy: z.literal('hillclimb_v1') }).meta({ id: 'HillclimbGate' });
export type HillclimbGate = z.output<typeof HillclimbGate>;
