import type { Database } from 'bun:sqlite'
import { clickFileRows } from '../sqlite/click-file-rows.ts'
import type { ClosedClicks, MovedFile, MoveReader, TableRows } from './move-endpoint.ts'
import { writeLine } from './sqlite-rows.ts'

/** Some of them have merged times, which the store that they are moved to need not merge again: they come first. */
type ClosedFiles = { merged: MovedFile[]; exact: MovedFile[]; firstId: number; clicks: ClosedClicks }

/** The files that count, with the number of their rows that do. */
export function movedFiles(database: Database): MovedFile[] {
  const forgotten = database
    .query(`SELECT name, forgotten_links FROM click_files WHERE forgotten_links <> '[]'`)
    .values() as [name: string, ids: string][]
  const forgottenLinks = new Map(forgotten.map(([name, ids]) => [name, JSON.parse(ids) as number[]]))
  return clickFileRows(database).map((file) => ({
    ...file,
    forgottenLinks: forgottenLinks.get(file.name) ?? [],
  }))
}

/** The same files; of those with clicks that were deleted, the rows are counted. */
export async function countMovedRows(
  files: readonly MovedFile[],
  clicks: ClosedClicks,
): Promise<MovedFile[]> {
  const exactFiles: MovedFile[] = []
  for (const file of files) {
    let { rows } = file
    if (file.forgottenLinks.length > 0) {
      rows = 0
      for await (const page of clicks.rows(file)) rows += page.length
    }
    exactFiles.push({ ...file, rows })
  }
  return exactFiles
}

type Source = { database: Database; clicks: ClosedClicks; files: readonly MovedFile[] }

/**
 * A reader of the table `clicks` that begins with those in files, which were counted before. They get the ids right below those of
 * the table.
 */
export function withClosedClicks(reader: MoveReader, { database, clicks, files }: Source): MoveReader {
  if (files.length === 0) return reader
  const merged = files.filter(({ name }) => clicks.isMerged(name))
  const exact = files.filter(({ name }) => !clicks.isMerged(name))
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

const rowsOf = (files: readonly MovedFile[]) => files.reduce((sum, { rows }) => sum + rows, 0)

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
  { merged, exact, firstId, clicks }: ClosedFiles,
  of: TableRows,
): AsyncGenerator<Uint8Array> {
  const places = of.columns.map(({ name }) => clicks.columns.indexOf(name))
  let id = firstId
  for (const file of [...merged, ...exact]) {
    for await (const rows of clicks.rows(file)) {
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
function* progressLines(database: Database, { merged, exact, firstId }: ClosedFiles): Generator<Uint8Array> {
  const mergedTo = numberOf(database, 'SELECT merged_to FROM click_progress')
  const beforeExact = exact.length === 0 ? mergedTo : firstId + rowsOf(merged) - 1
  yield Buffer.from(`${Math.min(mergedTo, beforeExact)}\n`)
}
