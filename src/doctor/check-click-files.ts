import { join } from 'node:path'
import { describeClickFile, listClickFiles } from '../clicks/parquet/click-files.ts'
import { EngineProcess, engineCommand } from '../clicks/parquet/engine-process.ts'
import { type ClickFile, findDamage } from '../clicks/parquet/parquet-file.ts'
import { systemClock } from '../runtime/clock.ts'
import { jsonLog } from '../runtime/log.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'

const FILES_NAMED_MAX = 5
/** More than wait in the table before a server moves them into files. */
const OPEN_ROWS_MANY = 100_000

/** Whether every file that counts is there as it was written, and DuckDB runs where it is needed. */
export async function checkClickFiles(
  db: CurrentDb,
  dataDir: string,
  command = engineCommand(dataDir),
): Promise<Finding[]> {
  const files = await listClickFiles(db)
  const { openRows } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.countAll<number>().as('openRows'))
    .executeTakeFirstOrThrow()
  const needsEngine = files.length > 0 || openRows > OPEN_ROWS_MANY
  const complaints = [
    ...(await fileComplaints(clicksFolder(dataDir), files)),
    ...(needsEngine ? await engineComplaints(command, { files, openRows }) : []),
  ]
  const closedRows = files.reduce((sum, { rows }) => sum + rows, 0)
  return findings(
    'click files',
    complaints,
    `${files.length} files with ${closedRows} rows of clicks are intact; ${openRows} rows are in the database.`,
  )
}

async function fileComplaints(folder: string, files: readonly ClickFile[]): Promise<Problem[]> {
  const lost: { file: ClickFile; damage: string }[] = []
  for (const file of files) {
    const damage = await findDamage({ path: join(folder, file.name), sha256: file.sha256 })
    if (damage !== undefined) lost.push({ file, damage })
  }
  const complaints = lost
    .slice(0, FILES_NAMED_MAX)
    .map(({ file, damage }) =>
      fault(
        `${describeClickFile(file)} is ${damage}: reports lack these clicks. Put the file of a backup into ${folder}.`,
      ),
    )
  if (lost.length <= FILES_NAMED_MAX) return complaints
  const others = lost.slice(FILES_NAMED_MAX)
  const rows = others.reduce((sum, { file }) => sum + file.rows, 0)
  return [
    ...complaints,
    fault(`${others.length} more click files with ${rows} rows of clicks are damaged or missing.`),
  ]
}

type Clicks = { files: readonly ClickFile[]; openRows: number }

async function engineComplaints(command: readonly string[], { files, openRows }: Clicks): Promise<Problem[]> {
  const engine = new EngineProcess({ command, clock: systemClock, log: jsonLog('silent', 'doctor') })
  try {
    if (await engine.isSupported()) return []
  } catch {
    return [fault('The click engine (DuckDB) does not start: reports of clicks in files cannot be answered.')]
  } finally {
    await engine.close()
  }
  if (files.length > 0)
    return [fault('DuckDB does not run on this platform: reports of clicks in files cannot be answered.')]
  return [
    warning(
      `DuckDB does not run on this platform: all ${openRows} rows of clicks stay in the database, and reports get slower with each.`,
    ),
  ]
}
