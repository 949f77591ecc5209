import type { Caller } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { type DomainDeps, sharedAlready } from './add-domain.ts'
import { certificateColumns } from './domain-certificate.ts'
import type { Findings } from './domain-checks.ts'
import { dnsColumns } from './domain-looks.ts'
import { noSuchDomain, selectDomains } from './find-domains.ts'

export type Looked = Pick<DomainDeps, 'clock'> & {
  caller: Caller
  id: number
  /** Whether a proof takes the domain from another workspace that has it. */
  takesOver: boolean
}

/** `isNew`: this look has proven ownership, so that the domain is served from now on. `losers`: the workspaces that have lost it. */
export type StoredFinding = { isNew: boolean; losers: number[] }

/** What a look at a domain has found. A domain whose ownership is proven is served from now on. */
export async function storeFindings(
  tx: Tx,
  { clock, caller, id, takesOver }: Looked,
  findings: Findings,
): Promise<StoredFinding> {
  await lockForCaller(tx, caller, 'domains:write')
  const { ownership, pointing, certificate } = findings
  const nowUs = clock.nowUs()
  const own = selectDomains(tx, caller.workspaceId).where('id', '=', id)
  const { name } = (await own.where('removed_at', 'is', null).executeTakeFirst()) ?? gone()
  // In one order, with all that have the same name, so that two who prove it take turns.
  const rows = await lockedToChange(
    tx,
    tx.selectFrom('domains').selectAll().where('name', '=', name).orderBy('id'),
  ).execute()
  const before = rows.find((row) => row.id === id) ?? gone()
  const holders = rows.filter((row) => row.host !== null && row.id !== id)
  const isFree = takesOver || holders.length === 0
  const isNew = before.host === null && ownership === undefined && isFree
  const isServed = before.host !== null || isNew
  if (isServed && holders.some((row) => row.is_shared === 1)) throw sharedAlready()
  const failure = isServed ? (pointing ?? null) : (ownership ?? HELD)
  const failingSince = failure === null ? null : (before.failing_since ?? nowUs)
  const state = { checked_at: nowUs, failure, failing_since: failingSince }
  const columns = { ...state, ...dnsColumns(findings), ...certificateColumns(certificate) }
  if (isServed && holders.length > 0)
    await tx
      .updateTable('domains')
      .set({ host: null, failing_since: nowUs, failure: LOST })
      .where('name', '=', name)
      .where('id', '<>', id)
      .execute()
  await tx
    .updateTable('domains')
    .set({ ...columns, ...(isServed ? { host: name, verified_at: before.verified_at ?? nowUs } : {}) })
    .where('id', '=', id)
    .execute()
  if (isNew) await recordChange(tx, caller, { nowUs, action: 'domain.verified', target: name, targetId: id })
  return { isNew, losers: isServed ? holders.flatMap((row) => row.workspace_id ?? []) : [] }
}

const LOST = 'Somebody else on this server has proven that they control the domain.'
const HELD = 'Somebody else on this server uses the domain. Check it now to use it here instead.'

function gone(): never {
  throw noSuchDomain()
}
