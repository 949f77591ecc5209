import type { SignedInCaller } from '../../access/caller.ts'
import type { RedirectStateChanges } from '../../links/destinations/block-host.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { consumeToken, issueToken } from '../tokens/single-use-token.ts'
import { newSecret } from '../tokens/secret-text.ts'

type ExclusionDeps = { db: DurableDb; clock: Clock; redirectState: RedirectStateChanges }

/**
 * A token for a page of the domain, which sets the cookie there: a browser takes cookies only from the host that it is at. It works
 * once and for some minutes. The first one of a workspace makes the key that its cookies are signed with.
 */
export async function exclusionToken(
  { db, clock, redirectState }: ExclusionDeps,
  { workspaceId, userId }: SignedInCaller,
  domainId: number,
): Promise<string> {
  const { numUpdatedRows } = await db
    .updateTable('workspaces')
    .set({ uncounted_key: newSecret() })
    .where('id', '=', workspaceId)
    .where('uncounted_key', 'is', null)
    .executeTakeFirstOrThrow()
  // Before the browser comes back with its cookie.
  if (numUpdatedRows > 0n) await redirectState.changed()
  const place = placeOf({ workspaceId, domainId })
  const secret = await issueToken({ db, clock }, { purpose: 'exclude-browser', userId, place })
  return `${workspaceId}.${secret}`
}

type Exclusion = { workspaceId: number; key: string }

const TOKEN = /^([1-9]\d{0,15})\.([\w-]{43})$/

/** Which workspace does not count the browser from now on. Undefined for a token that was used, is too old or is for another domain. */
export async function useExclusionToken(
  { db, clock }: Pick<ExclusionDeps, 'db' | 'clock'>,
  { token: text, domainId }: { token: string; domainId: number },
): Promise<Exclusion | undefined> {
  const [, workspace, token] = TOKEN.exec(text) ?? []
  if (token === undefined) return undefined
  const workspaceId = Number(workspace)
  const place = placeOf({ workspaceId, domainId })
  const used = await consumeToken({ db, clock }, { purpose: 'exclude-browser', token, place })
  if (used === undefined) return undefined
  const row = await db
    .selectFrom('workspaces')
    .select('uncounted_key')
    .where('id', '=', workspaceId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row?.uncounted_key == null ? undefined : { workspaceId, key: row.uncounted_key }
}

const placeOf = ({ workspaceId, domainId }: { workspaceId: number; domainId: number }) =>
  `workspace ${workspaceId} domain ${domainId}`
