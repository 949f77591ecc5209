import type { Caller } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { invalid } from '../errors/refusal.ts'
import type { RedirectStateChanges } from '../links/destinations/block-host.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { certificateColumns } from './domain-certificate.ts'
import { dnsColumns } from './domain-looks.ts'
import { newToken, selectDomains } from './find-domains.ts'

export type DomainDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'>; redirectState: RedirectStateChanges }

/** Of a workspace, with those that it has removed: every thread keeps them in memory. */
const DOMAINS_MAX = 200
/** Nothing proves that they exist. */
const UNVERIFIED_MAX = 20

/** What earlier looks have found says nothing of a domain that is added again. */
export const UNCHECKED = {
  checked_at: null,
  failing_since: null,
  failure: null,
  ...dnsColumns(undefined),
  ...certificateColumns(undefined),
}

/** Adds a domain that serves nothing until it is verified. Adding one again that was removed brings it back, to be verified. */
export function addDomain({ db, clock }: DomainDeps, caller: Caller, name: string): Promise<void> {
  const { workspaceId } = caller
  return transact(db, async (tx) => {
    // One at a time, so that the bounds hold.
    await lockForCaller(tx, caller, 'domains:write')
    await refuseSharedName(tx, name)
    const domains = await selectDomains(tx, workspaceId).execute()
    const existing = domains.find((domain) => domain.name === name)
    if (existing !== undefined && existing.removed_at === null)
      throw hostTaken('The domain was added already.')
    const unverified = domains.filter((domain) => domain.verified_at === null)
    if (existing === undefined && (domains.length >= DOMAINS_MAX || unverified.length >= UNVERIFIED_MAX))
      throw hostTaken(
        `You may add at most ${DOMAINS_MAX} domains, with those that were removed, and ${UNVERIFIED_MAX} of them may be unverified.`,
      )
    const nowUs = clock.nowUs()
    const id = existing === undefined ? await insert(tx, { workspaceId, name, nowUs }) : existing.id
    if (existing !== undefined)
      await tx
        .updateTable('domains')
        .set({ removed_at: null, ...UNCHECKED })
        .where('id', '=', id)
        .execute()
    await recordChange(tx, caller, { nowUs, action: 'domain.added', target: name, targetId: id })
  })
}

type NewDomain = { workspaceId: number; name: string; nowUs: number }

async function insert(tx: Tx, { workspaceId, name, nowUs }: NewDomain): Promise<number> {
  const row = { workspace_id: workspaceId, name, created_at: nowUs, verification_token: newToken() }
  const { id } = await tx.insertInto('domains').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

async function refuseSharedName(tx: Tx, name: string): Promise<void> {
  const shared = await selectDomains(tx, null).where('host', '=', name).executeTakeFirst()
  if (shared !== undefined) throw sharedAlready()
}

/** Users who are alone read it too, so it does not speak of workspaces. */
export const sharedAlready = () =>
  hostTaken('The domain is shared with everyone on this server, so you can create links on it already.')

export const hostTaken = (sentence: string) => invalid({ host: [sentence] })
