import type { PasswordQueue } from '../../accounts/password-queue.ts'
import type { NoticeCount } from '../../accounts/security-notices.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { BlockChanges } from '../../links/block-host.ts'
import type { Log } from '../../log.ts'
import type { Mails } from '../../mail/post-office.ts'
import type { Db } from '../../store/open-store.ts'
import type { PersonLimits } from './person-limits.ts'

/** What the endpoints about people and their accounts hand on to the verbs. */
export type PeopleDeps = NoticeCount & {
  db: Db
  quickDb: Db
  clock: Clock
  config: Config
  baseUrl: string
  mails: Mails
  passwords: PasswordQueue
  limits: PersonLimits
  blocks: BlockChanges
  log: Log
}
