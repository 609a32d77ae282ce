import { z } from 'zod';
import { Instant } from './scalars/instant.js';
import { nonBlankText } from './scalars/text.js';
import { Scope } from './scope.js';

/** Make an API key. */
export const CreateKeyRequest = z
  .object({
    name: nonBlankText(200).meta({ description: 'Who or what will use it; shown in the audit log.' }),
    scopes: z
      .array(Scope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'has a scope twice; remove one'),
    expires_at: Instant.nullable().default(null),
  })
  .meta({ id: 'CreateKeyRequest' });
export type CreateKeyRequest = z.output<typeof CreateKeyRequest>;

/** A key as it is listed: never its secret, of which only a hash is stored. */
export const KeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the secret, to tell keys apart.' }),
    scopes: z.array(Scope),
    created_at: Instant,
    expires_at: Instant.nullable(),
    revoked_at: Instant.nullable(),
    last_used_at: Instant.nullable(),
  })
  .meta({ id: 'KeyView' });
export type KeyView = z.infer<typeof KeyView>;

export const CreateKeyResponse = z
  .object({ key: KeyView, secret: z.string().meta({ description: 'Shown this once. Send it as `Authorization: Bearer …`.' }) })
  .meta({ id: 'CreateKeyResponse' });
export type CreateKeyResponse = z.infer<typeof CreateKeyResponse>;
