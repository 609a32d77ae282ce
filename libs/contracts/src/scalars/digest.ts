import { z } from 'zod';

/** SHA-256 in the form this product writes everywhere: `sha256:` and 64 lowercase hex characters. */
export const Digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" followed by 64 lowercase hexadecimal characters')
  .meta({ id: 'Digest', description: '`sha256:` and 64 lowercase hexadecimal characters.' });
export type Digest = z.infer<typeof Digest>;
