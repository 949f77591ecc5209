import type { Database } from 'bun:sqlite'
import { type ClickFileRow, clickFileRows } from '../sqlite/click-file-rows.ts'
import type { ClosedClicks, MoveReader, TableRows } from './move-endpoint.ts'
import { writeLine } from './sqlite-rows.ts'

/** Some of them have merged times, which the store that they are moved to need not merge again: they come first. */
type Closed = { merged: ClickFileRow[]; exact: ClickFileRow[]; firstId: number; clicks: ClosedClicks }

/**
 * A reader of the table `clicks` that begins with those in files, which were counted before. They get the ids right below those of
 * the table.
 */
export function withClosedClicks(
  reader: MoveReader,
  { database, clicks }: { database: Database; clicks: ClosedClicks },
): MoveReader {
  const files = clickFileRows(database)
  if (files.length === 0) return reader
  const [merged, exact] = [
    files.filter(({ name }) => clicks.isMerged(name)),
    files.filter(({ name }) => !clicks.isMerged(name)),
  ]
  const closed = { merged, exact, firstId: firstOpenId(database) - rowsOf(files), clicks }
  return {
    ...reader,
    count: async (table) => (await reader.count(table)) + (table === 'clicks' ? rowsOf(files) : 0),
    lines: (of) => {
      if (of.table === 'click_progress') return progressLines(database, closed)
      return of.table === 'clicks' ? clickLines(reader, closed, of) : reader.lines(of)
    },
  }
}

const rowsOf = (files: readonly ClickFileRow[]) => files.reduce((sum, { rows }) => sum + rows, 0)

const firstOpenId = (database: Database): number =>
  numberOf(
    database,
    `SELECT coalesce(min(id), (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'clicks'), 1) FROM clicks`,
  )

const numberOf = (database: Database, text: string) => database.query(text).values()[0]![0] as number

/** The only column that files lack. */
const ID_PLACE = -1

async function* clickLines(
  reader: MoveReader,
  { merged, exact, firstId, clicks }: Closed,
  of: TableRows,
): AsyncGenerator<Uint8Array> {
  const places = of.columns.map(({ name }) => clicks.columns.indexOf(name))
  let id = firstId
  for (const { name } of [...merged, ...exact]) {
    for await (const rows of clicks.rows(name)) {
      const lines = rows.map((row) => {
        const rowId = id++
        return writeLine(places.map((place) => (place === ID_PLACE ? rowId : row[place]!)))
      })
      yield Buffer.from(lines.join(''))
    }
  }
  yield* reader.lines(of)
}

/** All clicks behind this id are merged when they are old enough. */
function* progressLines(database: Database, { merged, exact, firstId }: Closed): Generator<Uint8Array> {
  const mergedTo = numberOf(database, 'SELECT merged_to FROM click_progress')
  const beforeExact = exact.length === 0 ? mergedTo : firstId + rowsOf(merged) - 1
  yield Buffer.from(`${Math.min(mergedTo, beforeExact)}\n`)
}
