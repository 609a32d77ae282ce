/** A server's URL as it may be shown in messages: without user, password and parameters. */
export function serverName(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return 'the configured URL (which is not a valid one)';
  }
}
