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

/** Larger lists are of no use to a request. */
const LIST_SIZES = [1, 20, 100, 300, 1_000, 3_000] as const

/**
 * The same for a query with a list of values, of which it may only use that each is in it: the list is filled up with its last
 * value to one of few sizes. Without values, nothing is run.
 */
export function prepareForList<Db extends AnyDb, Values extends Record<string, unknown>, Item, Row>(
  build: (db: Db, values: Values, list: readonly Item[]) => Compilable<Row>,
): (db: Db, values: Values, list: readonly Item[]) => Promise<Row[]> {
  type Filled = Values & Record<number, Item>
  const queries = LIST_SIZES.map((size) =>
    prepare((db: Db, filled: Filled) =>
      build(
        db,
        filled,
        Array.from({ length: size }, (_, at) => filled[at]!),
      ),
    ),
  )
  return async (db, values, list) => {
    if (list.length === 0) return []
    const index = LIST_SIZES.findIndex((size) => size >= list.length)
    if (index < 0) throw new Error(`A list of ${list.length} values is too long for a query.`)
    const items = Array.from({ length: LIST_SIZES[index]! }, (_, at) => list[Math.min(at, list.length - 1)]!)
    return queries[index]!(db, { ...values, ...items } as Filled)
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
