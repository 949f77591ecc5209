import { join } from 'node:path'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { ClosedClicks } from '../../store/move/move-endpoint.ts'
import { clicksFolder } from '../../store/sqlite/open-sqlite-store.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import type { EngineError } from './engine-error.ts'
import { EngineProcess, engineCommand } from './engine-process.ts'
import { findDamage, isCoarseFile } from './parquet-file.ts'
import { factPages } from './read-facts.ts'

/** For reading whole files: some megabytes in memory. */
const ROWS_AT_ONCE = 32_768

/** The click files of a data folder, for a move. An engine runs from the first read to the end. */
export function openClosedClicks(dataDir: string, deps: { clock: Clock; log: Log }): ClosedClicks {
  const engine = new EngineProcess({ command: engineCommand(dataDir), ...deps })
  const pathOf = (name: string) => join(clicksFolder(dataDir), name)
  return {
    columns: FACT_COLUMNS,
    isMerged: isCoarseFile,
    async check(files) {
      for (const { name, sha256 } of files) {
        const damage = await findDamage({ path: pathOf(name), sha256 })
        if (damage !== undefined) throw unusable(pathOf(name), damage)
      }
      if (files.length > 0) await startEngine(engine)
    },
    async *rows({ name, forgottenLinks }) {
      try {
        yield* factPages(engine.call, { name, forgottenLinks, rowsMax: ROWS_AT_ONCE })
      } catch (error) {
        throw unreadable(pathOf(name), error)
      }
    },
    close: () => engine.close(),
  }
}

async function startEngine(engine: EngineProcess): Promise<void> {
  const isSupported = await engine.isSupported().catch((error: EngineError) => {
    throw notReadable(`the click engine does not start: ${error.message}`)
  })
  if (!isSupported) throw notReadable('DuckDB does not run on this platform.')
}

const notReadable = (reason: string) =>
  new Refusal('command_failed', `Clicks in files cannot be read, so nothing was moved: ${reason}`)

const unusable = (path: string, damage: string) =>
  new Refusal(
    'command_failed',
    `The click file ${path} is ${damage}, so nothing was moved. Run tern doctor: it says which clicks are missing and what to do.`,
  )

const unreadable = (path: string, error: unknown) =>
  new Refusal(
    'command_failed',
    `The click file ${path} could not be read: ${error instanceof Error ? error.message : String(error)} Run the command again.`,
  )
