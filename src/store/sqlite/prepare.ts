import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { AnyDb } from '../handles.ts'
import { runReady } from '../transact.ts'

/**
 * A query whose text is built once per engine, on first use: for the queries of every API request, building takes several
 * times as long as running. `build` gets placeholders for the values, and may only put them into the query.
 */
export function prepare<Db extends AnyDb, Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const statements = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let statement = statements.get(adapter)
    if (statement === undefined) {
      statement = build(db, placeholders as Values).compile()
      statements.set(adapter, statement)
    }
    const parameters = statement.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name] : each,
    )
    const { rows } = await runReady<Row>(db, { ...statement, parameters })
    return rows
  }
}

/** Replaced by the value of that name. */
class Placeholder {
  constructor(readonly name: string) {}
}

const placeholders = new Proxy<Record<string, Placeholder>>(
  {},
  { get: (_, name) => new Placeholder(String(name)) },
)
