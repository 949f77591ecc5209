import type { Config } from '../config/config.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { RelaxedDb } from '../store/handles.ts'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'
import { openClickHouse } from './clickhouse/clickhouse.ts'
import { ClickMover } from './clickhouse/move-clicks.ts'
import type { ClickKeeper } from './click-keeper.ts'
import { engineCommand } from './parquet/engine-process.ts'
import { ClickFilesKeeper } from './parquet/keep-click-files.ts'

/** Undefined where all clicks stay in PostgreSQL. */
export function openClickKeeper(
  config: Config,
  deps: { db: RelaxedDb; clock: Clock; log: Log },
): ClickKeeper | undefined {
  const { dataDir, databaseUrl, journalRetentionMs, rawClickDays } = config
  if (databaseUrl === undefined)
    return new ClickFilesKeeper({
      ...deps,
      rawClickDays,
      folder: clicksFolder(dataDir),
      command: engineCommand(dataDir),
      retentionUs: journalRetentionMs * 1000,
    })
  const clickHouse = openClickHouse(config)
  return clickHouse && new ClickMover({ ...deps, rawClickDays, clickHouse })
}
