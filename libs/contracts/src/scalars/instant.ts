import { z } from 'zod';

/** A moment in UTC, ISO 8601: `2026-08-22T10:00:00.000Z`. */
export const Instant = z.iso.datetime().meta({ id: 'Instant', description: 'A moment in UTC, ISO 8601.' });
export type Instant = z.infer<typeof Instant>;
