import { z } from 'zod'
import type { Actor } from '../access/caller.ts'
import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import { type ChangeLinksDeps, changeLinks, type LinksTx } from '../links/change-links.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { trueOrFalse } from '../validation/field-rules.ts'
import { noSuchDomain } from './find-domains.ts'
import { changeCase, foldCodes } from './ignore-case.ts'
import { recordInEach, sharedDomain, type SharedDomainDeps, workspacesOn } from './shared-domains.ts'

export const sharedDomainEdit = z.object({ case_insensitive: trueOrFalse })

type EditDeps = SharedDomainDeps & ChangeLinksDeps & { baseUrl: string }
type Edit = z.output<typeof sharedDomainEdit>

/**
 * Changes what the operator decides of a domain that every workspace can use: a shared one, or that of BASE_URL. The audit logs of
 * the workspaces that have links on it say so.
 */
export async function editSharedDomain(
  deps: EditDeps,
  by: Actor,
  { host, edit: { case_insensitive: isIgnored } }: { host: string; edit: Edit },
): Promise<void> {
  const id = await idOf(deps, host)
  const workspaceIds = await workspacesOn(deps.readDb, id)
  const options = { claimsCodes: isIgnored }
  const isChanged = await changeLinks(deps, options, async (change: LinksTx) => {
    const { tx, nowUs } = change
    if ((await ignoresCase(tx, id)) === isIgnored) return false
    await changeCase(change, id, isIgnored)
    const changes = { case_insensitive: { from: !isIgnored, to: isIgnored } }
    const entry = { nowUs, action: 'domain.updated', target: host, targetId: id, changes } as const
    await recordInEach({ tx, workspaceIds }, by, entry)
    return true
  })
  if (!isChanged) return
  await deps.redirectState.changed()
  // Those of links that were made in the meantime, for which case still counted.
  if (isIgnored) await changeLinks(deps, options, (change) => foldCodes(change, id))
}

async function idOf({ baseUrl, readDb }: EditDeps, host: string): Promise<number> {
  if (host === new URL(baseUrl).hostname) return DEFAULT_DOMAIN
  const domain = await sharedDomain(readDb, host)
  if (domain === undefined || domain.removed_at !== null) throw noSuchDomain()
  return domain.id
}

/** Locks the row, so that two changes take turns. */
async function ignoresCase(tx: Tx, id: number): Promise<boolean> {
  const row = tx.selectFrom('domains').select('case_insensitive').where('id', '=', id)
  return (await lockedToChange(tx, row).executeTakeFirstOrThrow()).case_insensitive === 1
}
