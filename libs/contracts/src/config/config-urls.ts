/** What is wrong with a PostgreSQL URL, and what to write instead; null when nothing is. Never repeats it: it may hold a password. */
export function databaseUrlFlaw(text: string): string | null {
  return urlFlaw(text, ['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/database');
}

/** The same for a Redis URL. */
export function redisUrlFlaw(text: string): string | null {
  return urlFlaw(text, ['redis:', 'rediss:'], 'redis://host:6379');
}

/** The same for an http(s) URL. */
export function httpUrlFlaw(text: string): string | null {
  return urlFlaw(text, ['http:', 'https:'], 'https://example.com/hook');
}

function urlFlaw(text: string, protocols: string[], example: string): string | null {
  if (text.trim() === '') return 'must not be empty; remove it or set a URL';
  if (!URL.canParse(text)) return `is not a URL; write it like ${example}`;
  return protocols.includes(new URL(text).protocol)
    ? null
    : `must begin with ${protocols.map((name) => `${name}//`).join(' or ')}, like ${example}`;
}
