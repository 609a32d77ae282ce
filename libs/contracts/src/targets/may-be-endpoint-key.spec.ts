import { describe, expect, it } from 'vitest';
import { mayBeEndpointKey } from './may-be-endpoint-key.js';

describe('mayBeEndpointKey', () => {
  it.each(['OPENAI_API_KEY', 'HF_TOKEN', 'AZURE_OPENAI_API_KEY', 'GOOGLE_API_KEY', 'MY_KILN_KEY'])('%s', (name) => {
    expect(mayBeEndpointKey(name)).toBe(true);
  });

  it.each([
    'KILN_DATABASE_URL',
    'KILN_REDIS_URL',
    'KILN_API_KEY',
    'DATABASE_URL',
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AZURE_CLIENT_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS_KEY',
    'OPENAI_API_KEY_FILE',
    'PATH',
  ])('never %s', (name) => {
    expect(mayBeEndpointKey(name)).toBe(false);
  });
});
