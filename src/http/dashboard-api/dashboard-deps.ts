import type { PasswordQueue } from '../../users/password/password-queue.ts'
import type { NoticeCount } from '../../users/security-notices.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Config } from '../../config/config.ts'
import type { BlockChanges } from '../../links/destinations/block-host.ts'
import type { Log } from '../../runtime/log.ts'
import type { MailSender } from '../../mail/mail-queue.ts'
import type { DurableDb, RelaxedDb } from '../../store/handles.ts'
import type { UserLimits } from './user-limits.ts'

export type DashboardDeps = NoticeCount & {
  db: DurableDb
  relaxedDb: RelaxedDb
  clock: Clock
  config: Config
  baseUrl: string
  mails: MailSender
  passwords: PasswordQueue
  limits: UserLimits
  blocks: BlockChanges
  log: Log
}
