import { type Actor, operatorIn } from '../access/caller.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import { recordChange } from '../audit/record-change.ts'
import { lock, lockedToChange } from '../store/engine-sql.ts'
import type { CurrentDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { type DomainDeps, hostTaken, UNCHECKED } from './add-domain.ts'
import { newToken, noSuchDomain, selectDomains } from './find-domains.ts'

/** `readDb`: for what looks at every code, which must not hold up writes. */
export type SharedDomainDeps = DomainDeps & { readDb: CurrentDb }

/** With those that were removed: every thread keeps them in memory. */
const SHARED_MAX = 1_000

/**
 * Adds a domain that every workspace can use. It is served at once: who operates the server need not prove to it which domains
 * it has. Adding one again that was removed brings its links back, which the audit logs of their workspaces say.
 */
export async function addSharedDomain(deps: SharedDomainDeps, by: Actor, name: string): Promise<void> {
  const old = await sharedDomain(deps.readDb, name)
  const workspaceIds = old === undefined ? [] : await workspacesOn(deps.readDb, old.id)
  await transact(deps.db, async (tx) => {
    await lock(tx, 'shared domains')
    await refuseServed(tx, name)
    const shared = await selectDomains(tx, null).execute()
    const existing = shared.find((domain) => domain.name === name)
    if (existing === undefined && shared.length >= SHARED_MAX)
      throw hostTaken(`A server may have at most ${SHARED_MAX} shared domains, with those that were removed.`)
    const nowUs = deps.clock.nowUs()
    const settings = {
      host: name,
      verified_at: existing?.verified_at ?? nowUs,
      // For the daily look only, which finds by it whether the host leads here.
      verification_token: existing?.verification_token ?? newToken(),
    }
    if (existing === undefined)
      await tx
        .insertInto('domains')
        .values({ ...settings, workspace_id: null, name, is_shared: 1, created_at: nowUs })
        .execute()
    else
      await tx
        .updateTable('domains')
        .set({ ...settings, removed_at: null, ...UNCHECKED })
        .where('id', '=', existing.id)
        .execute()
    const change = { nowUs, action: 'domain.added', target: name, targetId: existing?.id ?? null } as const
    await recordInEach({ tx, workspaceIds }, by, change)
  })
  await deps.redirectState.changed()
}

/** Locks the rows as a verification does, so that the two take turns. */
async function refuseServed(tx: Tx, name: string): Promise<void> {
  const rows = tx.selectFrom('domains').selectAll().where('name', '=', name).orderBy('id')
  const row = (await lockedToChange(tx, rows).execute()).find(({ host }) => host !== null)
  if (row === undefined) return
  if (row.workspace_id === null) throw hostTaken('Every workspace of this server can use the domain already.')
  throw hostTaken(
    `The workspace with the ID ${row.workspace_id} has verified the domain. Remove it there first.`,
  )
}

/**
 * Its short URLs stop working at once, which the audit logs of their workspaces say. The links and their codes stay, and come
 * back when it is added again.
 */
export async function removeSharedDomain(deps: SharedDomainDeps, by: Actor, name: string): Promise<void> {
  const domain = await sharedDomain(deps.readDb, name)
  if (domain === undefined) throw noSuchDomain()
  const workspaceIds = await workspacesOn(deps.readDb, domain.id)
  await transact(deps.db, async (tx) => {
    const query = selectDomains(tx, null).where('id', '=', domain.id).where('removed_at', 'is', null)
    const before = await lockedToChange(tx, query).executeTakeFirst()
    if (before === undefined) throw noSuchDomain()
    const nowUs = deps.clock.nowUs()
    await tx
      .updateTable('domains')
      .set({ host: null, removed_at: nowUs, verified_at: before.verified_at ?? nowUs })
      .where('id', '=', domain.id)
      .execute()
    const change = { nowUs, action: 'domain.removed', target: name, targetId: domain.id } as const
    await recordInEach({ tx, workspaceIds }, by, change)
  })
  await deps.redirectState.changed()
}

/** Undefined if it was never added. */
export const sharedDomain = (db: CurrentDb, name: string) =>
  selectDomains(db, null).where('name', '=', name).executeTakeFirst()

/** The workspaces that have links on the domain. */
export async function workspacesOn(db: CurrentDb, domainId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('codes')
    .innerJoin('workspaces', 'workspaces.id', 'codes.workspace_id')
    .select('workspaces.id')
    .distinct()
    .where('codes.domain_id', '=', domainId)
    .where('codes.link_id', 'is not', null)
    .where('workspaces.closed_at', 'is', null)
    .orderBy('workspaces.id')
    .execute()
  return rows.map(({ id }) => id)
}

type SharedChange = {
  nowUs: number
  action: AuditAction
  target: string
  targetId: number | null
  changes?: FieldChanges
}

export async function recordInEach(
  { tx, workspaceIds }: { tx: Tx; workspaceIds: readonly number[] },
  by: Actor,
  change: SharedChange,
): Promise<void> {
  for (const workspaceId of workspaceIds) await recordChange(tx, operatorIn(workspaceId, by), change)
}
