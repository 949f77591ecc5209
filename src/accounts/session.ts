import { type Clock, DAY_US, HOUR_US, MINUTE_US } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { freeToRemove } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { prepare } from '../store/prepare.ts'
import type { Role } from './account.ts'
import { hashSecret, newSecret } from './secret-text.ts'

/** Unused for so long, it ends; and after so long in any case. */
const IDLE_US = 12 * HOUR_US
const LIFETIME_US = 30 * DAY_US
export const SESSION_SECONDS = LIFETIME_US / 1_000_000
/** Its last use is written down at most so often. */
const NOTED_EVERY_US = MINUTE_US
/** More browsers than anybody has; the one not used for longest makes room. */
const SESSIONS_MAX = 50
const DEVICE_CHARS_MAX = 100

type SessionDeps = { db: Db; clock: Clock }

/** A browser that is signed in, and what its account may do. */
export type Session = {
  id: number
  accountId: number
  role: Role
  isEmailVerified: boolean
}

export type ListedSession = {
  id: number
  device: string
  createdAtUs: number
  lastUsedAtUs: number
}

/** The token of a new session, which is nowhere but in the return value. */
export async function startSession(
  { db, clock }: SessionDeps,
  { accountId, device }: { accountId: number; device: string },
): Promise<string> {
  const token = newSecret()
  const now = clock.nowUs()
  await db
    .insertInto('sessions')
    .values({
      account_id: accountId,
      token_hash: hashSecret(token),
      device: device.slice(0, DEVICE_CHARS_MAX),
      created_at: now,
      last_used_at: now,
    })
    .execute()
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(SESSIONS_MAX)
  await db.deleteFrom('sessions').where('id', 'in', tooMany).execute()
  return token
}

/** Whose token it is; undefined when it is nobody's, or has ended. */
export async function findSession(
  { db, quickDb, clock }: SessionDeps & { quickDb: Db },
  token: string,
): Promise<Session | undefined> {
  const now = clock.nowUs()
  const [row] = await sessionByHash(db, {
    hash: hashSecret(token),
    bornAfter: now - LIFETIME_US,
    usedAfter: now - IDLE_US,
  })
  if (row === undefined) return undefined
  if (row.last_used_at <= now - NOTED_EVERY_US) await noteUse(quickDb, { id: row.id, now })
  return {
    id: row.id,
    accountId: row.account_id,
    role: row.role === 'admin' ? 'admin' : 'user',
    isEmailVerified: row.email_verified_at !== null,
  }
}

type Bounds = { hash: string; bornAfter: number; usedAfter: number }

const sessionByHash = prepare((db, { hash, bornAfter, usedAfter }: Bounds) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['sessions.id', 'sessions.account_id', 'sessions.last_used_at'])
    .select(['accounts.role', 'accounts.email_verified_at'])
    .where('sessions.token_hash', '=', hash)
    .where('sessions.created_at', '>', bornAfter)
    .where('sessions.last_used_at', '>', usedAfter)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.closed_at', 'is', null),
)

const noteUse = prepare((db, { id, now }: { id: number; now: number }) =>
  db.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id),
)

/** All browsers that are signed in, the last used first. */
export async function listSessions({ db, clock }: SessionDeps, accountId: number): Promise<ListedSession[]> {
  const now = clock.nowUs()
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
    .where('account_id', '=', accountId)
    .where('created_at', '>', now - LIFETIME_US)
    .where('last_used_at', '>', now - IDLE_US)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Which of these sessions have not been ended by somebody. */
export async function sessionsAmong(db: Db, sessionIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.selectFrom('sessions').select('id').where('id', 'in', sessionIds).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Signs one browser out. Refused when the account has no such session. */
export async function endSession(
  db: Db,
  { accountId, sessionId }: { accountId: number; sessionId: number },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('not-found', 'Session not found.')
}

/** Signs out whoever has this token, if anybody has. */
export async function endSessionOf(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashSecret(token)).execute()
}

/** Signs every browser out. */
export async function endAllSessions(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

/** Removes those that have ended by themselves. */
export async function forgetSessions(db: Db, nowUs: number): Promise<void> {
  const ended = db
    .selectFrom('sessions')
    .select('id')
    .where((eb) =>
      eb.or([eb('created_at', '<=', nowUs - LIFETIME_US), eb('last_used_at', '<=', nowUs - IDLE_US)]),
    )
  await db.deleteFrom('sessions').where('id', 'in', freeToRemove(db, ended)).execute()
}
