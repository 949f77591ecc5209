import { z } from 'zod'
import { REQUIRED } from '../../validation/field-rules.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { CurrentDb, DurableDb } from '../../store/handles.ts'
import { type BlockList, withoutRootDot } from './blocks.ts'
import { parseUrl } from './parse-url.ts'

/** Called after the commit, so that redirects change before the caller gets a response. */
export type RedirectStateChanges = { changed(): Promise<void> }

export type BlockHostDeps = { db: DurableDb; clock: Clock; redirectState: RedirectStateChanges }

export type BlockedHost = { host: string; reason: string; blockedAtUs: number }

const REASON_CHARS_MAX = 255
const NO_REASON = `The :attribute must be at most ${REASON_CHARS_MAX} characters, without control characters.`

export const newBlockedHost = z.object({
  host: z
    .string(REQUIRED)
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: REQUIRED, abort: true })
    .transform((text, context) => {
      const host = hostIn(text)
      if (host === undefined) context.addIssue('The :attribute must be a host name or a URL.')
      return host ?? z.NEVER
    }),
  reason: z
    .string(NO_REASON)
    .refine(
      (text) => [...text].length <= REASON_CHARS_MAX && !/\p{Cc}/u.test(text) && text.isWellFormed(),
      NO_REASON,
    )
    .nullish()
    .transform((text) => text?.trim() ?? ''),
})

/** Links to the host and its subdomains stop redirecting, and nobody can create new ones. */
export async function blockHost(
  deps: BlockHostDeps,
  { host, reason }: z.output<typeof newBlockedHost>,
): Promise<BlockedHost> {
  const row = { host, reason, created_at: deps.clock.nowUs() }
  await deps.db
    .insertInto('blocked_hosts')
    .values(row)
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ reason: row.reason }))
    .execute()
  await deps.redirectState.changed()
  return { host: row.host, reason: row.reason, blockedAtUs: row.created_at }
}

export async function unblockHost({ db, redirectState }: BlockHostDeps, host: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('blocked_hosts')
    .where('host', '=', host)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('host_not_blocked', `The host ${host} is not blocked.`)
  await redirectState.changed()
}

export async function listBlockedHosts(db: CurrentDb): Promise<BlockedHost[]> {
  return db
    .selectFrom('blocked_hosts')
    .select(['host', 'reason', 'created_at as blockedAtUs'])
    .orderBy('host')
    .execute()
}

/** Everything that must not redirect, in one order, so that two lists can be compared. */
export async function readBlockList(db: CurrentDb): Promise<BlockList> {
  const [hosts, workspaces] = await Promise.all([
    db.selectFrom('blocked_hosts').select('host').orderBy('host').execute(),
    db
      .selectFrom('workspaces')
      .select(['id', 'closed_at'])
      .where((eb) => eb.or([eb('suspended_at', 'is not', null), eb('closed_at', 'is not', null)]))
      .orderBy('id')
      .execute(),
  ])
  const closed = workspaces.filter(isClosed)
  const suspended = workspaces.filter((workspace) => !isClosed(workspace))
  return {
    hosts: hosts.map(({ host }) => host),
    workspaceIds: suspended.map(({ id }) => id),
    closedWorkspaceIds: closed.map(({ id }) => id),
  }
}

const isClosed = ({ closed_at: closedAt }: { closed_at: number | null }) => closedAt !== null

/** A host name or any URL on it, so that operators can paste what was reported. */
function hostIn(text: string): string | undefined {
  const url = parseUrl(text.includes('://') ? text : `http://${text}`)
  const host = withoutRootDot(url?.hostname ?? '')
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && /^[\x21-\x7e]+$/.test(host) ? host : undefined
}
