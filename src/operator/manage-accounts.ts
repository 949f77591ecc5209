import type { CurrentDb, DurableDb, Tx } from '../store/handles.ts'
import { sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { BlockChanges } from '../links/destinations/block-host.ts'
import { type FieldErrors, invalid, Refusal } from '../errors/refusal.ts'
import { contains } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import { type Account, selectOwnAccounts, toAccount } from '../users/account.ts'
import { lockUser } from '../users/find-user.ts'
import { refuseLastOperator } from '../users/profile/close-account.ts'
import { isPlan, PLAN_NAMES, UNLIMITED } from '../workspaces/plans.ts'
import { endAllSessions } from '../users/sign-in/session.ts'
import type { UserRole } from '../users/user.ts'

export type ManagedAccount = Account & { links: number; clicks: number }

export type AccountPage = { page: number; perPage: number; search: string }

/** A page of all users with the workspace they own, newest first, searched by name and email. */
export async function browseAccounts(
  db: CurrentDb,
  { page, perPage, search }: AccountPage,
): Promise<{ accounts: ManagedAccount[]; total: number }> {
  const found = selectOwnAccounts(db).$if(search !== '', (query) =>
    query.where(contains(db, sql`lower(users.name) || ' ' || users.email`, search.toLowerCase())),
  )
  const { total } = await found
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .select((eb) => [
      eb
        .selectFrom('account_link_counts')
        .select((inner) => inner.fn.sum<number | null>('links').as('links'))
        .whereRef('account_link_counts.account_id', '=', 'workspaces.id')
        .as('links'),
      eb
        .selectFrom('account_totals')
        .select('clicks')
        .whereRef('account_totals.account_id', '=', 'workspaces.id')
        .as('clicks'),
    ])
    .orderBy('users.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const accounts = rows.map((row) => ({
    ...toAccount(row),
    links: Number(row.links ?? 0),
    clicks: row.clicks ?? 0,
  }))
  return { accounts, total }
}

/** Undefined leaves a value as it is. A limit of null is the plan's. */
export type AccountChange = {
  plan?: unknown
  rateLimit?: unknown
  role?: unknown
  /** True: the operator vouches for the email. It cannot be undone. */
  isVerified?: unknown
}

/** Changes the user with this id and the workspace they own. The limits of keys follow with their next request. */
export async function changeAccount(
  { db, clock }: { db: DurableDb; clock: Clock },
  userId: number,
  change: AccountChange,
): Promise<void> {
  const { plan, rateLimit, role, isVerified } = readChange(change)
  await transact(db, async (tx) => {
    const workspaceId = await ownWorkspaceOf(tx, userId)
    if (role === 'user') await refuseLastOperator(tx, userId)
    await tx
      .updateTable('users')
      .set((eb) => ({
        id: userId,
        ...(role === undefined ? {} : { role }),
        ...(isVerified
          ? { email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(clock.nowUs())) }
          : {}),
      }))
      .where('id', '=', userId)
      .execute()
    await tx
      .updateTable('workspaces')
      .set({
        id: workspaceId,
        ...(plan === undefined ? {} : { plan }),
        ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
      })
      .where('id', '=', workspaceId)
      .execute()
  })
}

type ReadChange = {
  plan: string | undefined
  rateLimit: number | null | undefined
  role: UserRole | undefined
  isVerified: boolean
}

function readChange({ plan, rateLimit, role, isVerified = false }: AccountChange): ReadChange {
  const fields: FieldErrors = {}
  if (plan !== undefined && !(typeof plan === 'string' && isPlan(plan))) {
    fields.plan = [`The plan must be one of ${PLAN_NAMES.join(', ')}.`]
  }
  const isLimit =
    rateLimit === undefined ||
    rateLimit === null ||
    (Number.isSafeInteger(rateLimit) && Number(rateLimit) >= 1 && Number(rateLimit) <= UNLIMITED)
  if (!isLimit) fields.rate_limit = [`The rate limit must be an integer between 1 and ${UNLIMITED}.`]
  if (role !== undefined && role !== 'user' && role !== 'admin')
    fields.role = ['The role must be user or admin.']
  if (typeof isVerified !== 'boolean') fields.is_verified = ['The is verified field must be true or false.']
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return { plan, rateLimit, role, isVerified } as ReadChange
}

type OrderDeps = { db: DurableDb; clock: Clock; blocks: BlockChanges }

/**
 * Suspends the workspace that a user owns: its keys are refused, its links answer 410, and members of no other workspace cannot
 * sign in. Nothing is removed.
 */
export async function suspendAccount({ db, clock, blocks }: OrderDeps, userId: number): Promise<void> {
  await transact(db, async (tx) => {
    const workspaceId = await ownWorkspaceOf(tx, userId)
    for (const memberId of await membersOfNoOther(tx, workspaceId)) {
      await refuseLastOperator(tx, memberId)
      // In the order of signing in: the user first, then the sessions.
      await lockUser(tx, memberId)
      await endAllSessions(tx, memberId)
    }
    await tx
      .updateTable('workspaces')
      .set((eb) => ({ suspended_at: eb.fn.coalesce('suspended_at', eb.val(clock.nowUs())) }))
      .where('id', '=', workspaceId)
      .execute()
  })
  await blocks.changed()
}

export async function reinstateAccount({ db, blocks }: OrderDeps, userId: number): Promise<void> {
  await transact(db, async (tx) => {
    const workspaceId = await ownWorkspaceOf(tx, userId)
    await tx.updateTable('workspaces').set({ suspended_at: null }).where('id', '=', workspaceId).execute()
  })
  await blocks.changed()
}

async function ownWorkspaceOf(tx: Tx, userId: number): Promise<number> {
  const row = await selectOwnAccounts(tx).where('users.id', '=', userId).executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'Account not found.')
  return row.workspace_id
}

/** The members of a workspace who have no other open workspace, by id. */
async function membersOfNoOther(tx: Tx, workspaceId: number): Promise<number[]> {
  const others = tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('members.user_id')
    .where('members.workspace_id', '!=', workspaceId)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
  const rows = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', 'not in', others)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id: userId }) => userId)
}
