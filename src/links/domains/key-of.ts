import type { Caller } from '../../access/caller.ts'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import type { AnyDb } from '../../store/handles.ts'
import { keyText, type LinkKey } from '../link-key.ts'
import { NO_DOMAIN } from './domain-hosts.ts'
import type { Domains } from './domains.ts'

export type KeyOfDeps = {
  db: AnyDb
  domains: Pick<Domains, 'idsFor' | 'ofWorkspace' | 'defaultOf' | 'codeOn'>
}

/** `domain`: its host; undefined where the request names none. */
type NamedCodes = { codes: readonly string[]; domain: string | undefined }

/**
 * The keys that a caller means by codes. Without a domain, a code is one of the workspace's default domain if it has it there,
 * else of the domain of `BASE_URL`, else of the first of its other domains that it has it on.
 */
export async function keysOf(
  { db, domains }: KeyOfDeps,
  { workspaceId }: Caller,
  { codes, domain }: NamedCodes,
): Promise<LinkKey[]> {
  const order = domain === undefined ? orderOf(domains, workspaceId) : domains.idsFor(workspaceId, domain)
  const keyOn = (domainId: number, code: string): LinkKey => ({
    domainId,
    code: domains.codeOn(domainId, code),
  })
  if (order.length < 2) return codes.map((code) => keyOn(order[0] ?? NO_DOMAIN, code))
  const possible = new Set(order.flatMap((id) => codes.map((code) => domains.codeOn(id, code))))
  const owned = await db
    .selectFrom('codes')
    .select(['code', 'domain_id as domainId'])
    .where('code', 'in', [...possible])
    .where('domain_id', 'in', order)
    .where('workspace_id', '=', workspaceId)
    .execute()
  const ownedKeys = new Set(owned.map(keyText))
  return codes.map((code) => {
    const isOwned = (id: number) => ownedKeys.has(keyText(keyOn(id, code)))
    return keyOn(order.find(isOwned) ?? order[0]!, code)
  })
}

function orderOf(domains: KeyOfDeps['domains'], workspaceId: number): number[] {
  const others = domains.ofWorkspace(workspaceId).map(({ id }) => id)
  return [...new Set([domains.defaultOf(workspaceId), DEFAULT_DOMAIN, ...others])]
}

export async function keyOf(
  deps: KeyOfDeps,
  caller: Caller,
  { code, domain }: { code: string; domain: string | undefined },
): Promise<LinkKey> {
  const [key] = await keysOf(deps, caller, { codes: [code], domain })
  return key!
}
