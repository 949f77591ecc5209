import type { Caller } from '../access/caller.ts'
import type { WorkspacePlaces } from '../limits/workspace-places.ts'
import { domainTakenTemplate } from '../mail/domain-emails.ts'
import { transact } from '../store/transact.ts'
import { type MailingDeps, writerOf } from '../users/tokens/mailed-link.ts'
import type { DomainDeps } from './add-domain.ts'
import { type DomainChecks, type Findings, isIncomplete } from './domain-checks.ts'
import { domainsHref, mailsToAdmins } from './domain-mails.ts'
import { refuseShared, type StoredDomain } from './find-domains.ts'
import { storeFindings } from './store-findings.ts'

export type VerifyDeps = DomainDeps &
  MailingDeps & {
    domainChecks: Pick<DomainChecks, 'check'>
    domainCheckPlaces: Pick<WorkspacePlaces, 'run'>
  }

/** Looks at the domain now. Once ownership is proven, its links redirect; where somebody else had it, theirs no longer do. */
export async function verifyDomain(
  deps: VerifyDeps,
  caller: Caller,
  domain: StoredDomain,
): Promise<Findings> {
  const { db, domainChecks, domainCheckPlaces, redirectState } = deps
  const { workspaceId } = caller
  const { name } = domain
  refuseShared(domain)
  const token = domain.verification_token ?? ''
  const findings = await domainCheckPlaces.run(workspaceId, () => domainChecks.check({ name, token }))
  const { isNew, losers } = await transact(db, (tx) =>
    storeFindings(tx, { ...deps, caller, id: domain.id, takesOver: true }, findings),
  )
  // Otherwise redirects are as before, and threads need not check every link again.
  if (isNew) await redirectState.changed()
  for (const loser of losers) await mailLoser(deps, loser, name)
  // Only now that this server serves the domain does it answer there, and does a proxy get a certificate.
  return isNew && isIncomplete(findings) ? verifyDomain(deps, caller, domain) : findings
}

async function mailLoser(deps: VerifyDeps, workspaceId: number, domain: string): Promise<void> {
  const href = domainsHref(deps.baseUrl)
  const emails = await mailsToAdmins(deps.db, workspaceId, (to) =>
    domainTakenTemplate(writerOf(deps), { to, domain, href }),
  )
  for (const email of emails) deps.mails.post(email)
}
