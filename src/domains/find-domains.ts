import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { AnyDb } from '../store/handles.ts'
import type { DomainTable } from '../store/link-schema.ts'

/** The workspace whose domains are meant; null: those that the operator offers to all. */
export type DomainOwner = number | null

/** A domain as it is stored: of a workspace, or of the operator. */
export type StoredDomain = Selectable<DomainTable> & { isDefault: boolean }

/** pending: not verified, so nothing redirects. failing: verified, but the last check found that it does not lead here. */
export const DOMAIN_STATUSES = ['pending', 'active', 'failing'] as const
export type DomainStatus = (typeof DOMAIN_STATUSES)[number]

export function domainStatus({
  host,
  failing_since: failingSince,
}: Pick<StoredDomain, 'host' | 'failing_since'>): DomainStatus {
  if (host === null) return 'pending'
  return failingSince === null ? 'active' : 'failing'
}

/** Those that are not removed, in the order in which they were added. */
export const selectDomains = (db: AnyDb, owner: DomainOwner) => {
  const domains = db.selectFrom('domains').selectAll().where('id', '<>', 0)
  return owner === null
    ? domains.where('is_shared', '=', 1).where('workspace_id', 'is', null)
    : domains.where('workspace_id', '=', owner)
}

/** The workspace's own domains, then those of the operator that it can use. */
export async function listDomains(
  { db }: { db: AnyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<StoredDomain[]> {
  const own = await ownDomains(db, workspaceId)
  const defaultId = await defaultDomainOf(db, workspaceId)
  const shared = await ownDomains(db, null)
  return [...own, ...shared.filter(({ host }) => host !== null)].map((domain) => ({
    ...domain,
    isDefault: domain.id === defaultId,
  }))
}

const ownDomains = (db: AnyDb, owner: DomainOwner) =>
  selectDomains(db, owner).where('removed_at', 'is', null).orderBy('id').execute()

/** Also of the domain of BASE_URL, 0. */
export async function isCaseIgnoredOn(db: AnyDb, id: number): Promise<boolean> {
  const domain = db.selectFrom('domains').select('case_insensitive').where('id', '=', id)
  return (await domain.executeTakeFirst())?.case_insensitive === 1
}

/** Null: the domain of BASE_URL. */
export async function defaultDomainOf(db: AnyDb, workspaceId: number): Promise<number | null> {
  const workspace = db.selectFrom('workspaces').select('default_domain_id').where('id', '=', workspaceId)
  return (await workspace.executeTakeFirst())?.default_domain_id ?? null
}

export async function findDomain(
  { db }: { db: AnyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
  name: string,
): Promise<StoredDomain> {
  const match = (await listDomains({ db }, { workspaceId })).find((domain) => domain.name === name)
  if (match === undefined) throw noSuchDomain()
  return match
}

/** Found by `findDomain`, which finds those of the operator too. */
export function refuseShared({ workspace_id: workspaceId }: Pick<StoredDomain, 'workspace_id'>): void {
  if (workspaceId === null) throw sharedIsFixed()
}

export const sharedIsFixed = () =>
  new Refusal('operator_required', 'Only the operator of this server can change a shared domain.')

export const noSuchDomain = () => new Refusal('domain_not_found', 'Domain not found.')

/** What the TXT record or the file must contain: enough that nobody guesses it. */
export const newToken = (): string => randomBytes(18).toString('base64url')

export const proofOf = (token: string): string => `tern-verify=${token}`
