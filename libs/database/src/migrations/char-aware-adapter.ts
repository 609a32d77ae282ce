import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlMigrationAwareDriverAdapterFactory, type SqlQuery, type SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const CHAR = 18;
const TEXT = 25;
/** Marks a column on its way from the client to the adapter's caller; no column name can hold a NUL. */
const MARK = '\0char';

/**
 * Prisma's Postgres adapter that also knows the one-byte system type "char". Version 7.10.1 does not, and the schema engine
 * reads it from the catalogue whenever it describes a database with tables. The client reports such a column as text under a
 * marked name; the adapter then turns marked columns into characters.
 */
export function charAwareAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  const aware = <T extends SqlQueryable>(adapter: T): T => {
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query: SqlQuery) => {
      const result = await queryRaw(query);
      result.columnNames = result.columnNames.map((name, index) => {
        if (!name.endsWith(MARK)) return name;
        result.columnTypes[index] = ColumnTypeEnum.Character;
        return name.slice(0, -MARK.length);
      });
      return result;
    };
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => aware(await factory.connect()),
    connectToShadowDb: async () => aware(await factory.connectToShadowDb()),
  };
}

/** The client for the pool that is given to `charAwareAdapter`. */
export class CharMarkingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const last = args.at(-1);
    // A pool asks with a callback, a checked-out client is asked for a promise.
    if (typeof last === 'function') args[args.length - 1] = (error: unknown, result: Result) => last(error, mark(result));
    const running = (super.query as (...given: unknown[]) => unknown).apply(this, args);
    return (running instanceof Promise ? running.then(mark) : running) as never;
  }
}

type Result = pg.QueryResult | pg.QueryResult[] | undefined;

function mark(result: Result): Result {
  for (const one of [result ?? []].flat()) {
    for (const field of one.fields ?? []) {
      if (field.dataTypeID !== CHAR) continue;
      field.dataTypeID = TEXT;
      field.name += MARK;
    }
  }
  return result;
}
