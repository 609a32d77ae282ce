import { DOMAINS, domainHash } from '@kiln/provenance';

/** Identity of a JSON body, whatever the order of its keys: what makes a retry the same request. */
export function bodyDigest(body: unknown): string {
  return domainHash(DOMAINS.requestBody, body);
}
