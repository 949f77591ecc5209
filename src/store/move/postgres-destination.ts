import { Refusal } from '../../errors/refusal.ts'
import { migratePostgres } from '../postgres/open-postgres-store.ts'
import { isPostgresDiskFull } from '../postgres/postgres-complaint.ts'
import { makeClickMonths } from '../postgres/postgres-sql.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { isEverFilled, MOVED_TABLES, NUMBERED_TABLES } from './moved-tables.ts'
import { nameOf } from './move-location.ts'
import type { Filling, LastIds, MoveDestination } from './move-endpoint.ts'
import { MoveConnection } from './move-connection.ts'
import { namesOf, postgresRowReader } from './postgres-row-reader.ts'
import { hasStore } from './store-version.ts'
import { type DestinationState, type Named, notEmpty, stateOf } from './destination-state.ts'

/** For building indexes. More would be too much for a small server. */
const INDEX_MEMORY = '256MB'

type ConstraintSql = { remove: string; make: string }

const TABLES = `ARRAY[${MOVED_TABLES.map((table) => `'${table}'`).join(', ')}]::regclass[]`

/** Foreign keys first: they depend on the unique columns they refer to. */
const CONSTRAINTS = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE contype IN ('f', 'u') AND conrelid = ANY(${TABLES}) ORDER BY contype, conname`

/** The indexes of a partition are created with it. */
const INDEXES = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS remove, pg_get_indexdef(indexrelid) AS make
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE indrelid = ANY(${TABLES}) AND relkind = 'r' AND NOT indisprimary
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u')
  ORDER BY indexrelid::regclass::text`

/**
 * Drops foreign keys and all indexes except those of primary keys: keeping them up to date row by row takes several times
 * as long as building them once. Call it in a transaction. Returns a function that creates everything again.
 */
async function dropConstraintsAndIndexes(connection: MoveConnection): Promise<() => Promise<void>> {
  const parts = [
    ...(await connection.run<ConstraintSql>(CONSTRAINTS)),
    ...(await connection.run<ConstraintSql>(INDEXES)),
  ]
  for (const { remove } of parts) await connection.run(remove)
  return async () => {
    await connection.run(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`)
    for (const { make } of parts.toReversed()) await connection.run(make)
  }
}

const ALL = [...MOVED_TABLES, 'store_identity']

/** Checks the database and marks it, so that nobody else opens it before it is filled. */
export async function preparePostgres(
  url: string,
  source: Named,
): Promise<{ destination: MoveDestination; state: DestinationState }> {
  const location = nameOf({ engine: 'postgres', url })
  const connection = await MoveConnection.open(url).catch((error) => {
    throw withPlace(error, location)
  })
  try {
    await refuseOtherEncoding(connection, location)
    await connection.takeLock(location)
    if (!(await hasStore(connection, location))) await migratePostgres({ url })
    const { state, id } = await mark(connection, { source, location })
    return { state, destination: destinationOf(connection, { id, location }) }
  } catch (error) {
    await connection.close()
    throw withPlace(error, location)
  }
}

async function refuseOtherEncoding(connection: MoveConnection, location: string): Promise<void> {
  const encoding = await connection.value('SHOW server_encoding')
  if (encoding === 'UTF8') return
  throw new Refusal(
    'command_failed',
    `${location} is encoded in ${String(encoding)}: make a database that is encoded in UTF8.`,
  )
}

async function mark(connection: MoveConnection, { source, location }: { source: Named; location: string }) {
  await connection.beginAlone(ALL, 'EXCLUSIVE')
  const [identity] = await connection.run<StoreIdentity>('SELECT * FROM store_identity')
  const state = stateOf(source, { identity: identity!, location })
  if (state === 'left')
    throw new Refusal(
      'command_failed',
      `${location} holds a store that was moved away: make a new, empty database.`,
    )
  if (state === 'whole') await refuseRows(connection, location)
  if (state === 'whole')
    await connection.run('UPDATE store_identity SET filled_from = $1', [source.identity.id])
  await connection.run('COMMIT')
  return { state, id: identity!.id }
}

async function refuseRows(connection: MoveConnection, location: string): Promise<void> {
  for (const table of MOVED_TABLES.filter((each) => !isEverFilled(each))) {
    if ((await connection.value(`SELECT EXISTS (SELECT FROM ${table})`)) === true)
      throw notEmpty(location, table)
  }
}

function destinationOf(
  connection: MoveConnection,
  { id, location }: { id: string; location: string },
): MoveDestination {
  return {
    id,
    location,
    async fill(work, onIndexes) {
      try {
        await connection.beginAlone(ALL, 'ACCESS EXCLUSIVE')
        // In one transaction with the copy: a move that is killed leaves nothing on the disk.
        await connection.run(`TRUNCATE ${MOVED_TABLES.join(', ')}`)
        const rebuild = await dropConstraintsAndIndexes(connection)
        await work(fillingOf(connection))
        await onIndexes()
        await rebuild()
        await connection.run(`ANALYZE ${MOVED_TABLES.join(', ')}`)
        await connection.run('COMMIT')
      } catch (error) {
        // If the connection is lost too, the next run finds the mark and goes on.
        if (isNoRoom(error)) await removeMark(connection).catch(() => {})
        throw withPlace(error, location)
      }
    },
    async hold() {
      await connection.beginAlone(ALL, 'EXCLUSIVE')
      return postgresRowReader(connection)
    },
    async finish() {
      await connection.run('UPDATE store_identity SET filled_from = NULL')
      await connection.run('COMMIT')
    },
    close: () => connection.close(),
  }
}

/** The database is an empty store again. What was written has made room with the end of its transaction. */
async function removeMark(connection: MoveConnection): Promise<void> {
  await connection.run('ROLLBACK')
  await connection.run('UPDATE store_identity SET filled_from = NULL')
}

/** The migrator wraps it. */
const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && (isPostgresDiskFull(error) || isNoRoom(error.cause))

const withPlace = (error: unknown, location: string): unknown =>
  isNoRoom(error)
    ? new Refusal(
        'command_failed',
        `The disk of ${location} is full, so nothing was moved. Free some space there and run the command again.`,
      )
    : error

function fillingOf(connection: MoveConnection): Filling {
  return {
    write: (of, lines) => connection.copyIn(`COPY ${of.table} (${namesOf(of)}) FROM STDIN`, lines),
    async prepareClickMonths(months) {
      for (const statement of makeClickMonths(months)) await connection.run(statement)
    },
    setLastIds: (ids) => setLastIds(connection, ids),
  }
}

async function setLastIds(connection: MoveConnection, ids: LastIds): Promise<void> {
  for (const table of NUMBERED_TABLES) {
    const id = ids[table]
    await connection.run(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${Math.max(1, id)}, ${id > 0})`,
    )
  }
}
