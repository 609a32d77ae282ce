const INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * Compiles a JSON Pointer (RFC 6901) into a check whether it resolves in a value. A member that is null exists; "-" and
 * indexes past the end do not; only own members count, so "/constructor" needs a member of that name.
 */
export function compileJsonPointer(pointer: string): (root: unknown) => boolean {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (root) => {
    let value = root;
    for (const token of tokens) {
      if (typeof value !== 'object' || value === null) return false;
      if (Array.isArray(value) && !INDEX.test(token)) return false;
      if (!Object.hasOwn(value, token)) return false;
      value = (value as Record<string, unknown>)[token];
    }
    return true;
  };
}
