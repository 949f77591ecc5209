import type { Caller } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import type { FetchPlaces } from '../destination-pages/fetch-places.ts'
import { domainTakenTemplate } from '../mail/domain-emails.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { type MailingDeps, writerOf } from '../users/tokens/mailed-link.ts'
import { type DomainDeps, sharedAlready } from './add-domain.ts'
import { certificateColumns } from './domain-certificate.ts'
import type { DomainChecks, Findings } from './domain-checks.ts'
import { domainsHref, mailsToAdmins } from './domain-mails.ts'
import { findDomain, noSuchDomain, refuseShared, selectDomains } from './find-domains.ts'

export type VerifyDeps = DomainDeps &
  MailingDeps & { checks: Pick<DomainChecks, 'check'>; places: Pick<FetchPlaces, 'run'> }

/** Looks at the domain now. Once ownership is proven, its links redirect; where somebody else had it, theirs no longer do. */
export async function verifyDomain(deps: VerifyDeps, caller: Caller, name: string): Promise<Findings> {
  const { db, checks, places, redirectState } = deps
  const { workspaceId } = caller
  const domain = await findDomain({ db }, caller, name)
  refuseShared(domain)
  const token = domain.verification_token ?? ''
  const findings = await places.run(workspaceId, () => checks.check({ name, token }))
  const { isNew, losers } = await transact(db, (tx) =>
    store(tx, { ...deps, caller, id: domain.id }, findings),
  )
  // Otherwise redirects are as before, and threads need not check every link again.
  if (isNew) await redirectState.changed()
  for (const loser of losers) await mailLoser(deps, loser, name)
  // Only now that this server serves the domain does it answer there, and does a proxy get a certificate.
  return isNew && isIncomplete(findings) ? verifyDomain(deps, caller, name) : findings
}

const isIncomplete = ({ pointing, certificate }: Findings): boolean =>
  pointing !== undefined || (certificate !== undefined && certificate.result !== 'valid')

type Verified = Pick<DomainDeps, 'clock'> & { caller: Caller; id: number }

/** `isNew`: this look has proven ownership, so that the domain is served from now on. `losers`: the workspaces that have lost it. */
type Stored = { isNew: boolean; losers: number[] }

async function store(
  tx: Tx,
  { clock, caller, id }: Verified,
  { ownership, pointing, certificate }: Findings,
): Promise<Stored> {
  const nowUs = clock.nowUs()
  const own = selectDomains(tx, caller.workspaceId).where('id', '=', id)
  const { name } = (await own.where('removed_at', 'is', null).executeTakeFirst()) ?? gone()
  // In one order, with all that have the same name, so that two who prove it take turns.
  const rows = await lockedToChange(
    tx,
    tx.selectFrom('domains').selectAll().where('name', '=', name).orderBy('id'),
  ).execute()
  const before = rows.find((row) => row.id === id) ?? gone()
  const isNew = before.host === null && ownership === undefined
  const isServed = before.host !== null || isNew
  const holders = rows.filter((row) => row.host !== null && row.id !== id)
  if (isServed && holders.some((row) => row.is_shared === 1)) throw sharedAlready()
  const failure = ownership !== undefined && before.host === null ? ownership : (pointing ?? null)
  const failingSince = failure === null ? null : (before.failing_since ?? nowUs)
  const found = { checked_at: nowUs, failure, failing_since: failingSince }
  const checked = { ...found, ...certificateColumns(certificate) }
  if (isServed && holders.length > 0)
    await tx
      .updateTable('domains')
      .set({ host: null, failing_since: nowUs, failure: LOST })
      .where('name', '=', name)
      .where('id', '<>', id)
      .execute()
  await tx
    .updateTable('domains')
    .set({ ...checked, ...(isServed ? { host: name, verified_at: before.verified_at ?? nowUs } : {}) })
    .where('id', '=', id)
    .execute()
  if (isNew) await recordChange(tx, caller, { nowUs, action: 'domain.verified', target: name, targetId: id })
  return { isNew, losers: isServed ? holders.flatMap((row) => row.account_id ?? []) : [] }
}

const LOST = 'Somebody else on this server has proven that they control the domain.'

function gone(): never {
  throw noSuchDomain()
}

async function mailLoser(deps: VerifyDeps, workspaceId: number, domain: string): Promise<void> {
  const href = domainsHref(deps.baseUrl)
  const letters = await mailsToAdmins(deps.db, workspaceId, (to) =>
    domainTakenTemplate(writerOf(deps), { to, domain, href }),
  )
  for (const letter of letters) deps.mails.post(letter)
}
