import { z } from 'zod'
import { sql } from 'kysely'
import { type Actor, operatorIn } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { trueOrFalse } from '../validation/field-rules.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { contains } from '../store/engine-sql.ts'
import type { CurrentDb, DurableDb, Tx } from '../store/handles.ts'
import { type Page, readPage } from '../store/page-of-rows.ts'
import { transact } from '../store/transact.ts'
import { normalEmail } from '../users/email.ts'
import { lockUser } from '../users/find-user.ts'
import { isOnlyOperator, onlyOperator } from '../users/profile/close-account.ts'
import { endAllSessions } from '../users/sign-in/session.ts'
import { toUser, type User, USER_ROLES } from '../users/user.ts'

export type ManagedUser = User & {
  /** How many they are a member of. */
  workspaces: number
}

/** A page of all users, newest first, searched by name and email. */
export async function browseUsers(
  db: CurrentDb,
  { search, ...page }: Page & { search: string },
): Promise<{ users: ManagedUser[]; total: number }> {
  const matches = db
    .selectFrom('users')
    .where('users.closed_at', 'is', null)
    .$if(search !== '', (query) =>
      query.where(contains(db, sql`lower(users.name) || ' ' || users.email`, search.toLowerCase())),
    )
    .selectAll('users')
    .select((eb) =>
      eb
        .selectFrom('members')
        .whereRef('members.user_id', '=', 'users.id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('workspaces'),
    )
    .orderBy('users.id', 'desc')
  const { rows, total } = await readPage(matches, page)
  return { users: rows.map((row) => ({ ...toUser(row), workspaces: Number(row.workspaces) })), total }
}

/** Operators know users by their email. Refused if there is none. */
export async function userByEmail(db: CurrentDb, email: string): Promise<User> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', normalEmail(email))
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('account_not_found', `There is no user with the email ${email}.`)
  return toUser(row)
}

type UserDeps = { db: DurableDb; clock: Clock }

/** What is absent stays as it is. */
export const userChange = z.object({
  role: z.enum(USER_ROLES, 'The :attribute must be user or admin.').optional(),
  /** True: the operator vouches for the email. It cannot be undone. */
  is_verified: trueOrFalse.optional(),
})
type UserChange = z.output<typeof userChange>

/** For an operator in the dashboard. The log says who made whom an operator, and who took it away. */
export async function changeUserFor(
  deps: UserDeps & { log: Log },
  operatorId: number,
  { userId, ...change }: UserChange & { userId: number },
): Promise<void> {
  await changeUser(deps, userId, change)
  deps.log.info('An operator changed a user.', {
    operator: operatorId,
    account: userId,
    ...(change.role === undefined ? {} : { role: change.role }),
    ...(change.is_verified ? { verified: true } : {}),
  })
}

export async function changeUser(
  { db, clock }: UserDeps,
  userId: number,
  { role, is_verified: isVerified }: UserChange,
): Promise<void> {
  await transact(db, async (tx) => {
    if (role === 'user' && (await isOnlyOperator(tx, userId))) throw onlyOperator()
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set((eb) => ({
        id: userId,
        ...(role === undefined ? {} : { role }),
        ...(isVerified
          ? { email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(clock.nowUs())) }
          : {}),
      }))
      .where('id', '=', userId)
      .where('closed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw noSuchUser()
  })
}

const noSuchUser = () => new Refusal('user_not_found', 'User not found.')

/**
 * The user cannot sign in, is signed out everywhere, and the keys they made are refused. Their workspaces and links go on
 * working, and nothing is removed.
 */
export async function suspendUser({ db, clock }: UserDeps, by: Actor, userId: number): Promise<void> {
  if (by.userId === userId) throw new Refusal('not_for_yourself', 'You cannot suspend yourself.')
  await transact(db, async (tx) => {
    if (await isOnlyOperator(tx, userId)) throw onlyOperator()
    // In the order of signing in: the user first, then the sessions.
    await lockUser(tx, userId)
    await endAllSessions(tx, userId)
    const nowUs = clock.nowUs()
    await changeSuspension({ tx, nowUs }, by, { userId, suspendedAt: nowUs })
  })
}

/** The user can sign in again, and the keys they made work again. */
export async function reinstateUser({ db, clock }: UserDeps, by: Actor, userId: number): Promise<void> {
  await transact(db, async (tx) => {
    await lockUser(tx, userId)
    await changeSuspension({ tx, nowUs: clock.nowUs() }, by, { userId, suspendedAt: null })
  })
}

type Suspension = { userId: number; suspendedAt: number | null }

/** The audit log of each workspace of the user says so. Nothing is written if the user is suspended, or is not, already. */
async function changeSuspension(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  by: Actor,
  { userId, suspendedAt }: Suspension,
): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'suspended_at as before'])
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) throw noSuchUser()
  if ((user.before === null) === (suspendedAt === null)) return
  await tx.updateTable('users').set({ suspended_at: suspendedAt }).where('id', '=', userId).execute()
  const action = suspendedAt === null ? 'member.reinstated' : 'member.suspended'
  for (const workspaceId of await openWorkspacesOf(tx, userId))
    await recordChange(tx, operatorIn(workspaceId, by), {
      nowUs,
      action,
      target: user.email,
      targetId: userId,
    })
}

async function openWorkspacesOf(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('workspaces.id')
    .where('members.user_id', '=', userId)
    .where('workspaces.closed_at', 'is', null)
    .orderBy('workspaces.id')
    .execute()
  return rows.map(({ id }) => id)
}
