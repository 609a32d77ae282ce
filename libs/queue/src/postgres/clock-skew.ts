/**
 * Clock of this process minus clock of the database, in ms. The answer's travel time is not counted against either: within it
 * the difference is unknown and taken as small as it can be.
 *
 * @param sentAt, receivedAt local clock around the question, ms since 1970
 * @param databaseAt the database's clock when it answered
 */
export function clockSkew(sentAt: number, databaseAt: number, receivedAt: number): number {
  const middle = (sentAt + receivedAt) / 2;
  const slack = (receivedAt - sentAt) / 2;
  const difference = middle - databaseAt;
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - slack);
}
