import { type Clock, DAY_US, HOUR_US, MINUTE_US } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { freeToRemove } from '../../store/engine-sql.ts'
import type { AnyDb, CurrentDb, DurableDb, RelaxedDb, Tx } from '../../store/handles.ts'
import { prepare } from '../../store/sqlite/prepare.ts'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import { toMemberRole } from '../../workspaces/members.ts'
import { noSuchWorkspace } from '../../workspaces/workspace.ts'
import { toUserRole, type UserRole } from '../user.ts'
import { hashSecret, newSecret } from '../tokens/secret-text.ts'

/** A session ends after this time without use, and after LIFETIME_US in any case. */
const IDLE_US = 12 * HOUR_US
const LIFETIME_US = 30 * DAY_US
export const SESSION_SECONDS = LIFETIME_US / 1_000_000
/** The last use is stored at most this often. */
const NOTED_EVERY_US = MINUTE_US
/** More browsers than anybody has; the least recently used makes room. */
const SESSIONS_MAX = 50
const DEVICE_CHARS_MAX = 100
/** Several sensitive changes can follow one confirmation. */
const CONFIRMED_US = 10 * MINUTE_US

type SessionDeps = { db: AnyDb; clock: Clock }

/** A signed-in browser, and the workspace that its user works in. */
export type Session = {
  id: number
  userId: number
  /** The user's. */
  name: string
  workspaceId: number
  memberRole: MemberRole
  role: UserRole
  isEmailVerified: boolean
  /** The workspace requires a second factor, and the user has none. */
  lacksSecondFactor: boolean
  /** Until when the user need not confirm again that it is them; null: they must. */
  confirmedUntilUs: number | null
}

export type ListedSession = {
  id: number
  device: string
  createdAtUs: number
  lastUsedAtUs: number
}

/** Returns the token of a new session, in the workspace that the user chose last. Only its hash is stored. */
export async function startSession(
  { db, clock }: { db: DurableDb | Tx; clock: Clock },
  { userId, device }: { userId: number; device: string },
): Promise<string> {
  const token = newSecret()
  const now = clock.nowUs()
  await db
    .insertInto('sessions')
    .values({
      user_id: userId,
      workspace_id: db.selectFrom('users').select('last_workspace_id').where('id', '=', userId),
      token_hash: hashSecret(token),
      device: device.slice(0, DEVICE_CHARS_MAX),
      created_at: now,
      last_used_at: now,
    })
    .execute()
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(SESSIONS_MAX)
  await db.deleteFrom('sessions').where('id', 'in', tooMany).execute()
  return token
}

/** `workspaceId`: instead of the workspace that the browser has chosen. */
type PresentedSession = { token: string; workspaceId?: number | undefined }

/** Undefined if the token is unknown or the session has ended. Refused if the user is no member of the workspace. */
export async function findSession(
  { db, relaxedDb, clock }: { db: CurrentDb; relaxedDb: RelaxedDb; clock: Clock },
  { token, workspaceId }: PresentedSession,
): Promise<Session | undefined> {
  const now = clock.nowUs()
  const [row] = await sessionByHash(db, {
    hash: hashSecret(token),
    bornAfter: now - LIFETIME_US,
    usedAfter: now - IDLE_US,
    wanted: workspaceId ?? NO_WORKSPACE,
  })
  if (row === undefined) return undefined
  if (workspaceId !== undefined && row.workspace_id !== workspaceId) throw noSuchWorkspace()
  if (row.last_used_at <= now - NOTED_EVERY_US) await noteUse(relaxedDb, { id: row.id, now })
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    workspaceId: row.workspace_id,
    memberRole: toMemberRole(row.member_role),
    role: toUserRole(row.role),
    isEmailVerified: row.email_verified_at !== null,
    lacksSecondFactor: row.requires_second_factor !== 0 && row.totp_enabled_at === null,
    confirmedUntilUs: confirmedUntil(row.confirmed_at, now),
  }
}

function confirmedUntil(confirmedAtUs: number | null, nowUs: number): number | null {
  if (confirmedAtUs === null) return null
  const until = confirmedAtUs + CONFIRMED_US
  return until > nowUs ? until : null
}

/** The user has just confirmed that it is them. */
export async function confirmSession(
  { db, clock }: { db: DurableDb; clock: Clock },
  sessionId: number,
): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: clock.nowUs() }).where('id', '=', sessionId).execute()
}

/** IDs begin with 1. */
const NO_WORKSPACE = 0

type Bounds = { hash: string; bornAfter: number; usedAfter: number; wanted: number }

/** Of several workspaces: the one that is wanted, else the one that the browser has chosen, else the first joined. */
const sessionByHash = prepare((db: CurrentDb, { hash, bornAfter, usedAfter, wanted }: Bounds) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('members', 'members.user_id', 'users.id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.last_used_at', 'sessions.confirmed_at'])
    .select(['users.name', 'users.role', 'users.email_verified_at', 'users.totp_enabled_at'])
    .select(['members.workspace_id', 'members.role as member_role', 'workspaces.requires_second_factor'])
    .where('sessions.token_hash', '=', hash)
    .where('sessions.created_at', '>', bornAfter)
    .where('sessions.last_used_at', '>', usedAfter)
    .where('users.closed_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .orderBy((eb) =>
      eb
        .case()
        .when('members.workspace_id', '=', wanted)
        .then(0)
        .when('members.workspace_id', '=', eb.ref('sessions.workspace_id'))
        .then(1)
        .else(2)
        .end(),
    )
    .orderBy('members.joined_at')
    .orderBy('members.workspace_id')
    .limit(1),
)

const noteUse = prepare((db: RelaxedDb, { id, now }: { id: number; now: number }) =>
  db.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id),
)

/** The most recently used first. */
export async function listSessions({ db, clock }: SessionDeps, userId: number): Promise<ListedSession[]> {
  const now = clock.nowUs()
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
    .where('user_id', '=', userId)
    .where('created_at', '>', now - LIFETIME_US)
    .where('last_used_at', '>', now - IDLE_US)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Signs one browser out. Refused if the user has no such session. */
export async function endSession(
  db: DurableDb,
  { userId, sessionId }: { userId: number; sessionId: number },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('session_not_found', 'Session not found.')
}

export async function endSessionOf(db: DurableDb, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashSecret(token)).execute()
}

export async function endAllSessions(db: DurableDb | Tx, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Removes expired sessions. */
export async function forgetSessions(db: RelaxedDb, nowUs: number): Promise<void> {
  const expiredSessions = db
    .selectFrom('sessions')
    .select('id')
    .where((eb) =>
      eb.or([eb('created_at', '<=', nowUs - LIFETIME_US), eb('last_used_at', '<=', nowUs - IDLE_US)]),
    )
  await db.deleteFrom('sessions').where('id', 'in', freeToRemove(db, expiredSessions)).execute()
}
