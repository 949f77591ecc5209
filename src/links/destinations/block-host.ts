import type { Clock } from '../../runtime/clock.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { CurrentDb, DurableDb } from '../../store/handles.ts'
import { type BlockList, withoutRootDot } from './blocks.ts'
import { parseUrl } from './parse-url.ts'

/** Called after the commit, so that redirects change before the caller gets a response. */
export type RedirectStateChanges = { changed(): Promise<void> }

export type BlockHostDeps = { db: DurableDb; clock: Clock; blocks: RedirectStateChanges }

export type BlockedHost = { host: string; reason: string; blockedAtUs: number }

const REASON_CHARS_MAX = 255

/** Links to the host and its subdomains stop redirecting, and nobody can create new ones. */
export async function blockHost(
  deps: BlockHostDeps,
  { host, reason }: { host: unknown; reason: unknown },
): Promise<BlockedHost> {
  const blocked = { host: readHost(host), reason: readReason(reason), created_at: deps.clock.nowUs() }
  await deps.db
    .insertInto('blocked_hosts')
    .values(blocked)
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ reason: blocked.reason }))
    .execute()
  await deps.blocks.changed()
  return { host: blocked.host, reason: blocked.reason, blockedAtUs: blocked.created_at }
}

export async function unblockHost({ db, blocks }: BlockHostDeps, host: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('blocked_hosts')
    .where('host', '=', host)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('host_not_blocked', `The host ${host} is not blocked.`)
  await blocks.changed()
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
  const [closed, suspended] = [
    workspaces.filter(isClosed),
    workspaces.filter((workspace) => !isClosed(workspace)),
  ]
  return {
    hosts: hosts.map(({ host }) => host),
    workspaceIds: suspended.map(({ id }) => id),
    closedWorkspaceIds: closed.map(({ id }) => id),
  }
}

const isClosed = ({ closed_at: closedAt }: { closed_at: number | null }) => closedAt !== null

/** Accepts a host name or any URL on it, so that operators can paste what was reported. */
function readHost(input: unknown): string {
  if (typeof input !== 'string' || input.trim() === '')
    throw invalid({ host: ['The host field is required.'] })
  const text = input.trim()
  const url = parseUrl(text.includes('://') ? text : `http://${text}`)
  const host = withoutRootDot(url?.hostname ?? '')
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!isWeb || host === '' || !/^[\x21-\x7e]+$/.test(host)) {
    throw invalid({ host: ['The host must be a host name or a URL.'] })
  }
  return host
}

function readReason(input: unknown): string {
  if (input === undefined || input === null) return ''
  if (
    typeof input === 'string' &&
    [...input].length <= REASON_CHARS_MAX &&
    !/\p{Cc}/u.test(input) &&
    input.isWellFormed()
  ) {
    return input.trim()
  }
  throw invalid({
    reason: [`The reason must be at most ${REASON_CHARS_MAX} characters, without control characters.`],
  })
}
