const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** `['examples', 3, 'scorer', 'kind']` → `examples[3].scorer.kind`; keys that are not plain words are quoted in brackets. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (PLAIN_KEY.test(String(part))) text += text === '' ? String(part) : `.${String(part)}`;
    else text += `[${JSON.stringify(String(part))}]`;
  }
  return text;
}
