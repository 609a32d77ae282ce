/** The environment variable in which a script finds a value that it expects: of the key `city-name`, EVAL_EXPECT_CITY_NAME. */
export function expectVariable(key: string): string {
  return `EVAL_EXPECT_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
