import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { dayOf, isoDay } from '../../runtime/clock.ts'
import { whenMissing } from '../../store/files/when-missing.ts'
import type { AnyDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { Files } from '../journal/files.ts'
import type { ClickFile } from './parquet-file.ts'

/** A file in it survives a power failure only if the folder does. */
export async function makeClicksFolder(
  files: Pick<Files, 'makeFolder' | 'syncFolder'>,
  folder: string,
): Promise<void> {
  await files.makeFolder(folder)
  await files.syncFolder(dirname(folder))
}

/** Some were deleted while a file of them was written. */
export class OpenClicksChanged extends Error {}

/**
 * Replaces the rows of `clicks` up to this id by the files that have them: in one transaction, every click is in one of the two.
 * Rejects with `OpenClicksChanged` if other rows were written, such as those of a link whose clicks were deleted since.
 */
export async function enterClosed(
  tx: Tx,
  { upToId, files }: { upToId: number; files: ClickFile[] },
): Promise<void> {
  const { numAffectedRows } = await sql`DELETE FROM clicks WHERE id <= ${upToId}`.execute(tx)
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  if (Number(numAffectedRows) !== rows)
    throw new OpenClicksChanged(`${rows} clicks were closed, ${numAffectedRows} are open.`)
  for (const file of files) await insertFile(tx, file)
}

/** `2026-04-20-….parquet (4711 rows of clicks, from 2026-04-20 to 2026-04-30)` */
export function describeClickFile({ name, rows, from_us, to_us }: ClickFile): string {
  const first = isoDay(dayOf(from_us))
  const last = isoDay(dayOf(to_us - 1))
  return `${name} (${rows} rows of clicks, ${first === last ? `of ${first}` : `from ${first} to ${last}`})`
}

type Replacement = {
  names: readonly string[]
  file: ClickFile | undefined
  nowUs: number
  /** What was left out. */
  forgotten?: ForgottenLinks | undefined
}

/** The files with these names count no more, and their rewritten file does. They stay until `deleteRemovedFiles`. */
export async function enterRewritten(
  tx: Tx,
  { names, file, nowUs, forgotten = {} }: Replacement,
): Promise<void> {
  const forgottenNow = await readForgottenLinks(tx)
  for (const name of names) {
    const { numAffectedRows } =
      await sql`UPDATE click_files SET removed_at = ${nowUs} WHERE name = ${name} AND removed_at IS NULL`.execute(
        tx,
      )
    if (Number(numAffectedRows) !== 1) throw new Error(`The click file ${name} was replaced before.`)
  }
  if (file === undefined) return
  await insertFile(tx, file)
  // Clicks that were deleted while the files were read were deleted in all of them.
  const ids = names.flatMap(
    (name) => forgottenNow[name]?.filter((id) => !forgotten[name]?.includes(id)) ?? [],
  )
  for (const id of new Set(ids)) await forgetLink(tx, id, [file.name])
}

/** By the name of a file that counts: the links whose clicks in it were deleted. */
export type ForgottenLinks = Readonly<Record<string, readonly number[]>>

export async function readForgottenLinks(db: AnyDb): Promise<ForgottenLinks> {
  const { rows } = await sql<{ name: string; forgotten_links: string }>`
    SELECT name, forgotten_links FROM click_files WHERE removed_at IS NULL AND forgotten_links <> '[]' ORDER BY name`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ name, forgotten_links: ids }) => [name, JSON.parse(ids)]))
}

/** From then on the clicks of the link in these files do not count. They are left out when the files are written again. */
export async function forgetLink(tx: Tx, linkId: number, names: readonly string[]): Promise<void> {
  await sql`UPDATE click_files SET forgotten_links = json_insert(forgotten_links, '$[#]', ${linkId})
    WHERE name IN (SELECT value FROM json_each(${JSON.stringify(names)}))
      AND NOT EXISTS (SELECT 1 FROM json_each(forgotten_links) WHERE value = ${linkId})`.execute(tx)
}

/** None of the links has clicks in this file. */
export async function nothingForgotten(tx: Tx, name: string, linkIds: readonly number[]): Promise<void> {
  await sql`UPDATE click_files SET forgotten_links = '[]'
    WHERE name = ${name} AND forgotten_links = ${JSON.stringify(linkIds)}`.execute(tx)
}

/** Those that count. */
export async function listClickFiles(db: AnyDb): Promise<ClickFile[]> {
  const { rows } =
    await sql<ClickFile>`SELECT name, from_us, to_us, rows, sha256 FROM click_files WHERE removed_at IS NULL ORDER BY name`.execute(
      db,
    )
  return rows
}

type Deletion = { files: Pick<Files, 'unlink'>; folder: string; beforeUs: number }

/** Deletes the files that were replaced before this moment. An older database that is restored needs the later ones. */
export async function deleteRemovedFiles(
  db: DurableDb,
  { files, folder, beforeUs }: Deletion,
): Promise<void> {
  const names = await removedFiles(db, beforeUs)
  if (names.length === 0) return
  for (const name of names) await files.unlink(join(folder, name)).catch(whenMissing(undefined))
  await sql`DELETE FROM click_files WHERE removed_at < ${beforeUs}`.execute(db)
}

/**
 * When this resolves, it is on the disk that they are replaced: the commit waits for the disk, and every commit before it is saved with it.
 * SQLite only waits if a page has changed, so this moves the time of one file by a microsecond.
 */
function removedFiles(db: DurableDb, beforeUs: number): Promise<string[]> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM click_files WHERE removed_at < ${beforeUs} ORDER BY name`.execute(tx)
    if (rows.length > 0)
      await sql`UPDATE click_files SET removed_at = removed_at - 1 WHERE name = ${rows[0]!.name}`.execute(tx)
    return rows.map(({ name }) => name)
  })
}

const insertFile = (tx: Tx, { name, from_us, to_us, rows, sha256 }: ClickFile) =>
  sql`INSERT INTO click_files (name, from_us, to_us, rows, sha256)
    VALUES (${name}, ${from_us}, ${to_us}, ${rows}, ${sha256})`.execute(tx)
