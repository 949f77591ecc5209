import { operatorIn, SCHEDULE } from '../access/caller.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { domainVerifiedTemplate } from '../mail/domain-emails.ts'
import type { RelaxedDb } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { writerOf } from '../users/tokens/mailed-link.ts'
import { isIncomplete } from './domain-checks.ts'
import { LATER_US, LOOKED_AT_FOR_US, notYet, OFTEN_FOR_US, SOON_US } from './domain-looks.ts'
import { domainsHref, mailsToAdmins } from './domain-mails.ts'
import type { RecheckDeps } from './recheck-domains.ts'
import { storeFindings } from './store-findings.ts'

/** Fewer than of verified domains: anybody can add a host that is not theirs, and slow to answer. */
const AT_ONCE = 4

/**
 * Looks at domains that were added and are not verified, so that nobody has to keep a page open until their records are seen. One
 * whose proof is there is served from then on, and the admins of its workspace get an email. Nobody loses a domain by that.
 */
export async function lookAtPendingDomains(deps: RecheckDeps): Promise<void> {
  const due = await selectDue(deps.db, deps.clock.nowUs())
  await Promise.all(due.map((domain) => look(deps, domain)))
}

/** As `nextLookUs` says. */
const selectDue = (db: RelaxedDb, nowUs: number) =>
  db
    .selectFrom('domains')
    .innerJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .select(['domains.id', 'domains.name', 'workspaces.id as workspaceId'])
    .select('domains.verification_token as token')
    .where('domains.host', 'is', null)
    .where('domains.removed_at', 'is', null)
    .where('domains.verification_token', 'is not', null)
    .where('workspaces.closed_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('checked_at', 'is', null),
        eb.and([eb('failing_since', '>', nowUs - OFTEN_FOR_US), eb('checked_at', '<=', nowUs - SOON_US)]),
        eb.and([
          eb('failing_since', '>', nowUs - LOOKED_AT_FOR_US),
          eb('checked_at', '<=', nowUs - LATER_US),
        ]),
      ]),
    )
    // NULL is first on SQLite, and last on PostgreSQL.
    .orderBy((eb) => eb.fn.coalesce('checked_at', eb.lit(0)))
    .orderBy('domains.id')
    .limit(AT_ONCE)
    .execute()

type Due = Awaited<ReturnType<typeof selectDue>>[number]

async function look(deps: RecheckDeps, { id, name, token, workspaceId }: Due): Promise<void> {
  const { db, clock, checks, baseUrl, onMails } = deps
  const findings = await checks.check({ name, token: token ?? '' }).catch(notYet)
  if (findings === undefined) return
  const caller = operatorIn(workspaceId, SCHEDULE)
  const { isNew } = await transact(db, (tx) =>
    storeFindings(tx, { clock, caller, id, takesOver: false }, findings),
  )
  if (!isNew) return
  // Only now that it is served does this server answer there, so the next look finds more.
  if (isIncomplete(findings))
    await db.updateTable('domains').set({ checked_at: null }).where('id', '=', id).execute()
  const notice = { domain: name, href: domainsHref(baseUrl), failure: findings.pointing }
  const mails: EmailTemplate[] = await mailsToAdmins(db, workspaceId, (to) =>
    domainVerifiedTemplate(writerOf({ baseUrl }), { to, ...notice }),
  )
  onMails(mails)
}
