import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './open-store.ts'

/**
 * A query whose text is built once for each engine, at its first use: for the queries of every API request, building
 * takes several times as long as running. `build` gets stand-ins for the values: it may put them into the query and do
 * nothing else with them.
 */
export function prepare<Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const statements = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let statement = statements.get(adapter)
    if (statement === undefined) {
      statement = build(db, standIns as Values).compile()
      statements.set(adapter, statement)
    }
    const parameters = statement.parameters.map((each) =>
      each instanceof StandIn ? values[each.name] : each,
    )
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters })
    return rows
  }
}

/** Takes the place of the value of that name. */
class StandIn {
  constructor(readonly name: string) {}
}

const standIns = new Proxy<Record<string, StandIn>>({}, { get: (_, name) => new StandIn(String(name)) })
