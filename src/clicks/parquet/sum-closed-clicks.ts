import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { listClickFiles, readForgottenLinks } from './click-files.ts'
import { EngineProcess, engineCommand } from './engine-process.ts'
import type { FileSums } from './sum-files.ts'

/** Undefined if no clicks are in files. An engine runs as long as it takes. */
export async function sumClosedClicks(
  db: CurrentDb,
  { dataDir, ...deps }: { dataDir: string; clock: Clock; log: Log },
): Promise<FileSums | undefined> {
  const names = (await listClickFiles(db)).map(({ name }) => name)
  if (names.length === 0) return undefined
  const engine = new EngineProcess({ command: engineCommand(dataDir), ...deps })
  try {
    return await engine.call('sumFiles', { names, forgotten: await readForgottenLinks(db) })
  } finally {
    await engine.close()
  }
}
