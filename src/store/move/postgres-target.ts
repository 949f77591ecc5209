import { Refusal } from '../../refusal.ts'
import { bringPostgresUpToDate } from '../open-postgres-store.ts'
import { makeClickDays } from '../postgres-sql.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { isEverFilled, MOVED_TABLES, NUMBERED_TABLES } from './moved-tables.ts'
import { nameOf } from './move-place.ts'
import type { Filling, LastIds, MoveTarget } from './move-side.ts'
import { PostgresLine } from './postgres-line.ts'
import { namesOf, postgresLines } from './postgres-lines.ts'
import { takeDown } from './postgres-rebuild.ts'
import { hasStore } from './postgres-version.ts'
import { type Named, notEmpty, stateOf, type TargetState } from './target-state.ts'

const ALL = [...MOVED_TABLES, 'store_identity']

/** Looks at the database that is to be filled, and marks it so that nobody else opens it until it is. */
export async function preparePostgres(
  url: string,
  source: Named,
): Promise<{ target: MoveTarget; state: TargetState }> {
  const place = nameOf({ engine: 'postgres', url })
  const line = await PostgresLine.open(url)
  try {
    await refuseOtherEncoding(line, place)
    await line.takeLock(place)
    if (!(await hasStore(line, place))) await bringPostgresUpToDate(url)
    const { state, id } = await mark(line, { source, place })
    return { state, target: targetOf(line, { id, place }) }
  } catch (error) {
    await line.close()
    throw error
  }
}

async function refuseOtherEncoding(line: PostgresLine, place: string): Promise<void> {
  const encoding = await line.value('SHOW server_encoding')
  if (encoding === 'UTF8') return
  throw new Refusal(
    'invalid',
    `${place} is encoded in ${String(encoding)}: make a database that is encoded in UTF8.`,
  )
}

async function mark(line: PostgresLine, { source, place }: { source: Named; place: string }) {
  await line.beginAlone(ALL, 'EXCLUSIVE')
  const [identity] = await line.run<StoreIdentity>('SELECT * FROM store_identity')
  const state = stateOf(source, { identity: identity!, place })
  if (state === 'left')
    throw new Refusal('invalid', `${place} holds a store that was moved away: make a new, empty database.`)
  if (state === 'whole') await refuseRows(line, place)
  if (state === 'whole') await line.run('UPDATE store_identity SET filled_from = $1', [source.identity.id])
  await line.run('COMMIT')
  return { state, id: identity!.id }
}

async function refuseRows(line: PostgresLine, place: string): Promise<void> {
  for (const table of MOVED_TABLES.filter((each) => !isEverFilled(each))) {
    if ((await line.value(`SELECT EXISTS (SELECT FROM ${table})`)) === true) throw notEmpty(place, table)
  }
}

function targetOf(line: PostgresLine, { id, place }: { id: string; place: string }): MoveTarget {
  return {
    id,
    place,
    async fill(work, onIndexes) {
      await line.beginAlone(ALL, 'ACCESS EXCLUSIVE')
      // In one transaction with what follows, so that nothing of a move that is killed stays on the disk.
      await line.run(`TRUNCATE ${MOVED_TABLES.join(', ')}`)
      const rebuild = await takeDown(line)
      await work(fillingOf(line))
      await onIndexes()
      await rebuild()
      await line.run(`ANALYZE ${MOVED_TABLES.join(', ')}`)
      await line.run('COMMIT')
    },
    async hold() {
      await line.beginAlone(ALL, 'EXCLUSIVE')
      return postgresLines(line)
    },
    async finish() {
      await line.run('UPDATE store_identity SET filled_from = NULL')
      await line.run('COMMIT')
    },
    close: () => line.close(),
  }
}

function fillingOf(line: PostgresLine): Filling {
  return {
    write: (of, lines) => line.copyIn(`COPY ${of.table} (${namesOf(of)}) FROM STDIN`, lines),
    async prepareClickDays(days) {
      for (const statement of makeClickDays(days)) await line.run(statement)
    },
    setLastIds: (ids) => setLastIds(line, ids),
  }
}

async function setLastIds(line: PostgresLine, ids: LastIds): Promise<void> {
  for (const table of NUMBERED_TABLES) {
    const id = ids[table]
    await line.run(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${Math.max(1, id)}, ${id > 0})`)
  }
}
