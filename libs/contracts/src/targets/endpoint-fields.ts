import { z } from 'zod';
import { Text } from '../scalars/text.js';

/** http(s), without credentials, query or fragment: requests go to paths below it, and it is stored and shown. */
export const EndpointUrl = z.string().check((ctx) => {
  const message = urlFlaw(ctx.value);
  if (message) ctx.issues.push({ code: 'custom', input: ctx.value, message });
});

function urlFlaw(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL such as "http://localhost:8000/v1"';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '')
    return 'must not carry a user or password; put the key in an environment variable and name it in api_key_env';
  if (url.search !== '' || url.hash !== '') return 'must not have a query or a fragment; remove the part from "?" or "#" on';
  return null;
}

/** The name of the worker's environment variable that holds the key. */
export const EnvironmentName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,127}$/, 'must be the name of an environment variable such as "OPENAI_API_KEY"; never the key itself');

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key']);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Extra request headers. They are stored with the target, so headers that carry secrets are refused. */
export const EndpointHeaders = z.record(z.string(), Text.regex(/^[^\r\n]*$/, 'must be one line')).check((ctx) => {
  for (const header of Object.keys(ctx.value)) {
    const message = headerFlaw(header);
    if (message) ctx.issues.push({ code: 'custom', input: header, path: [header], message });
  }
});

function headerFlaw(header: string): string | null {
  if (!HEADER_NAME.test(header)) return 'is not a header name';
  if (SECRET_HEADERS.has(header.toLowerCase())) return 'would be stored with the target; use api_key_env for the key instead';
  return null;
}
