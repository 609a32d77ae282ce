/** The stable code of an error that has one. */
export function errorCode(error: unknown, otherwise: string): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : otherwise;
}
