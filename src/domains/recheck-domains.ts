import type { EmailTemplate } from '../mail/email-template.ts'
import { domainFailingTemplate } from '../mail/domain-emails.ts'
import { type Clock, DAY_US, HOUR_US } from '../runtime/clock.ts'
import type { RelaxedDb } from '../store/handles.ts'
import { writerOf } from '../users/tokens/mailed-link.ts'
import { certificateColumns } from './domain-certificate.ts'
import type { DomainChecks } from './domain-checks.ts'
import { dnsColumns, notYet } from './domain-looks.ts'
import { domainsHref, mailsToAdmins } from './domain-mails.ts'

export type RecheckDeps = {
  db: RelaxedDb
  clock: Pick<Clock, 'nowUs'>
  checks: Pick<DomainChecks, 'check'>
  baseUrl: string
  onMails(emails: readonly EmailTemplate[]): void
}

const AT_ONCE = 16
/** How long a domain fails before its admins get an email: records are often changed for a while. */
const MAILED_AFTER_US = 7 * DAY_US

/**
 * Looks at those domains again that were not looked at for a day, or for an hour if their certificate was not valid: many get it
 * soon after they were verified. One that fails is marked, and goes on being served.
 */
export async function recheckDomains(deps: RecheckDeps): Promise<void> {
  const nowUs = deps.clock.nowUs()
  const due = await deps.db
    .selectFrom('domains')
    .selectAll()
    .where('host', 'is not', null)
    .where('verification_token', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('checked_at', 'is', null),
        eb('checked_at', '<=', nowUs - DAY_US),
        eb.and([
          eb('checked_at', '<=', nowUs - HOUR_US),
          eb.or([eb('certificate_result', '<>', 'valid'), eb('certificate_ends_at', '<=', nowUs)]),
        ]),
      ]),
    )
    // NULL is first on SQLite, and last on PostgreSQL.
    .orderBy((eb) => eb.fn.coalesce('checked_at', eb.lit(0)))
    .limit(AT_ONCE)
    .execute()
  await Promise.all(due.map((domain) => recheck(deps, domain)))
}

type Due = {
  id: number
  name: string
  workspace_id: number | null
  verification_token: string | null
  checked_at: number | null
  failing_since: number | null
}

async function recheck({ db, clock, checks, baseUrl, onMails }: RecheckDeps, domain: Due): Promise<void> {
  const { id, name, workspace_id: workspaceId, verification_token: token, checked_at: lastUs } = domain
  const findings = await checks.check({ name, token: token ?? '' }).catch(notYet)
  if (findings === undefined) return
  const { pointing: failure = null, certificate } = findings
  const nowUs = clock.nowUs()
  const failingSince = failure === null ? null : (domain.failing_since ?? nowUs)
  await db
    .updateTable('domains')
    .set({ checked_at: nowUs, failure, failing_since: failingSince })
    .set({ ...dnsColumns(findings), ...certificateColumns(certificate) })
    .where('id', '=', id)
    .where('host', 'is not', null)
    .execute()
  if (failure === null || failingSince === null || workspaceId === null) return
  // Once: at the first look after that time.
  const isDue = nowUs - failingSince >= MAILED_AFTER_US && (lastUs ?? 0) - failingSince < MAILED_AFTER_US
  if (!isDue) return
  const href = domainsHref(baseUrl)
  const notice = { domain: name, href, failure }
  onMails(
    await mailsToAdmins(db, workspaceId, (to) =>
      domainFailingTemplate(writerOf({ baseUrl }), { to, ...notice }),
    ),
  )
}
