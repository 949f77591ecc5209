import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../errors/refusal.ts'
import { whenMissing } from '../../store/files/when-missing.ts'
import { cannotWrite } from './call-api.ts'

// A folder with a file of clicks for each day. A note in it says which clicks these are, so that files of others are not put beside them.

/** In which time zone days begin, and what the clicks have: `country=DE`. */
export type ExportedClicks = { timezone: string; filters: readonly string[] }

const NOTE = '.tern-export'
export const EXPORT_FORMATS = ['csv', 'ndjson', 'parquet']
const FILE_OF_DAY = new RegExp(`^\\d{4}-\\d\\d-\\d\\d\\.(?:${EXPORT_FORMATS.join('|')})$`)

/** Throws if the folder has files of other clicks, or if it does not say of which. */
export async function refuseOtherClicks(folder: string, clicks: ExportedClicks): Promise<void> {
  const names = await readdir(folder).catch(whenMissing([])).catch(cannotWrite(folder))
  if (!names.some((name) => FILE_OF_DAY.test(name))) return
  const note = await readFile(join(folder, NOTE), 'utf8').catch(whenMissing('')).catch(cannotWrite(folder))
  if (note.trim() === noteOf(clicks)) return
  const others = note.trim() === '' ? 'files that do not say which clicks they have' : note.trim()
  throw new Refusal('command_failed', `${folder} has ${others}. Use another folder for ${noteOf(clicks)}.`)
}

/** Creates the folder, with its note. */
export async function beginExport(folder: string, clicks: ExportedClicks): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(cannotWrite(folder))
  await writeFile(join(folder, NOTE), `${noteOf(clicks)}\n`).catch(cannotWrite(folder))
}

/** The order of filters means nothing. */
function noteOf({ timezone, filters }: ExportedClicks): string {
  const conditions = filters.length === 0 ? '' : ` with ${filters.toSorted().join(' and ')}`
  return `clicks of days in ${timezone}${conditions}`
}
