/** Arrays and objects are nested deeper than whoever reads them allows. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError';

  constructor(maxDepth: number) {
    super(`the value is nested more than ${maxDepth} deep`);
  }
}
