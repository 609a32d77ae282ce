import pg from 'pg';

const CHAR = 18;
const TEXT = 25;

/**
 * A Postgres client that reports the one-byte system type "char" as text. Prisma's adapter (7.10.1) does not know that type,
 * and the schema engine reads it from the catalogue whenever it describes a database that has foreign keys or enums.
 */
export class CharAsTextClient extends pg.Client {
  override query(...args: unknown[]): never {
    const last = args.at(-1);
    // A pool asks with a callback, a checked-out client is asked for a promise.
    if (typeof last === 'function') args[args.length - 1] = (error: unknown, result: Result) => last(error, charAsText(result));
    const running = (super.query as (...given: unknown[]) => unknown).apply(this, args);
    return (running instanceof Promise ? running.then(charAsText) : running) as never;
  }
}

type Result = pg.QueryResult | pg.QueryResult[] | undefined;

function charAsText(result: Result): Result {
  for (const one of [result ?? []].flat()) {
    for (const field of one.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
  }
  return result;
}
