import type { PasswordQueue } from '../../users/password/password-queue.ts'
import type { NoticeCount } from '../../users/security-notices.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { RedirectStateChanges } from '../../links/destinations/block-host.ts'
import type { Log } from '../../runtime/log.ts'
import type { MailSender } from '../../mail/mail-queue.ts'
import type { DurableDb, ReadDb, RelaxedDb } from '../../store/handles.ts'
import type { UserLimits } from '../dispatch/user-limits.ts'

export type DashboardDeps = NoticeCount & {
  db: DurableDb
  relaxedDb: RelaxedDb
  readDb: ReadDb
  clock: Clock
  config: Config
  linksMax: Config['linksMax']
  baseUrl: string
  domains: Domains
  mails: MailSender
  passwords: PasswordQueue
  limits: UserLimits
  redirectState: RedirectStateChanges
  log: Log
}
