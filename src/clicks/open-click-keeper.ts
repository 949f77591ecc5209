import type { Config } from '../config/config.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Store } from '../store/open-store.ts'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'
import { openClickHouse } from './clickhouse/clickhouse.ts'
import { ClickMover } from './clickhouse/move-clicks.ts'
import type { ClickKeeper } from './click-keeper.ts'
import { EngineProcess, engineCommand } from './parquet/engine-process.ts'
import { realFiles } from './journal/files.ts'
import { ClickFilesKeeper } from './parquet/keep-click-files.ts'

/** Undefined where all clicks stay in PostgreSQL. */
export function openClickKeeper(
  config: Config,
  deps: { store: Pick<Store, 'db' | 'relaxedDb'>; clock: Clock; log: Log },
): ClickKeeper | undefined {
  const { dataDir, databaseUrl, journalRetentionMs, rawClickDays } = config
  if (databaseUrl === undefined)
    return new ClickFilesKeeper({
      ...deps,
      rawClickDays,
      folder: clicksFolder(dataDir),
      files: realFiles,
      openEngine: () => new EngineProcess({ command: engineCommand(dataDir), ...deps }),
      retentionUs: journalRetentionMs * 1000,
    })
  const clickHouse = openClickHouse(config)
  return clickHouse && new ClickMover({ ...deps, db: deps.store.relaxedDb, rawClickDays, clickHouse })
}
