import { openClickHouse } from '../clicks/clickhouse/clickhouse.ts'
import { EngineProcess, engineCommand } from '../clicks/parquet/engine-process.ts'
import { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { Config } from '../config/config.ts'
import { smtpSender } from '../mail/smtp-sender.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Store } from '../store/open-store.ts'
import { ReportSender } from './report-sender.ts'

export type EmailReports = Pick<ReportSender, 'run' | 'stop'>

/** Undefined without a mail server: reports are not left in the outbox, because nobody waits for them there. */
export function openEmailReports(
  config: Config,
  deps: { store: Pick<Store, 'db' | 'reportDb'>; clock: Clock; log: Log; metrics: Metrics },
): EmailReports | undefined {
  const { smtpUrl, mailFrom, baseUrl, dataDir, databaseUrl } = config
  if (smtpUrl === undefined) return undefined
  const { store } = deps
  // Its process starts when a report has clicks in files.
  const engine =
    databaseUrl === undefined ? new EngineProcess({ command: engineCommand(dataDir), ...deps }) : undefined
  const clickHouse = openClickHouse(config)
  const sender = new ReportSender({
    ...deps,
    db: store.db,
    clickQueries: new ClickQueries({ ...deps, db: store.reportDb, callEngine: engine?.call, clickHouse }),
    config,
    send: smtpSender({ smtpUrl, mailFrom, baseUrl }),
  })
  return {
    run: () => sender.run(),
    async stop() {
      await sender.stop()
      await engine?.close()
    },
  }
}
