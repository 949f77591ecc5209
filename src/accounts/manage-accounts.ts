import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { BlockChanges } from '../links/block-host.ts'
import { type FieldErrors, invalid, Refusal } from '../refusal.ts'
import { contains } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { type Account, type Role, toAccount } from './account.ts'
import { refuseLastOperator } from './close-account.ts'
import { isPlan, PLAN_NAMES, UNLIMITED } from './plans.ts'
import { endAllSessions } from './session.ts'

export type ManagedAccount = Account & { links: number; clicks: number }

export type AccountPage = { page: number; perPage: number; search: string }

/** A page of all accounts, the newest first, by a part of name or address. */
export async function browseAccounts(
  db: Db,
  { page, perPage, search }: AccountPage,
): Promise<{ accounts: ManagedAccount[]; total: number }> {
  const found = db
    .selectFrom('accounts')
    .where('closed_at', 'is', null)
    .$if(search !== '', (query) =>
      query.where(contains(db, sql`lower(name) || ' ' || email`, search.toLowerCase())),
    )
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('account_link_counts')
        .select((inner) => inner.fn.sum<number | null>('links').as('links'))
        .whereRef('account_link_counts.account_id', '=', 'accounts.id')
        .as('links'),
      eb
        .selectFrom('account_totals')
        .select('clicks')
        .whereRef('account_totals.account_id', '=', 'accounts.id')
        .as('clicks'),
    ])
    .orderBy('id', 'desc')
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

/** What the operator changes; undefined stays. A limit of null is the plan's. */
export type AccountChange = {
  plan?: unknown
  rateLimit?: unknown
  role?: unknown
  /** True: the operator vouches for the address. It cannot be taken back. */
  isVerified?: unknown
}

/** Keys' limits follow with their next request. */
export async function changeAccount(
  { db, clock }: { db: Db; clock: Clock },
  accountId: number,
  change: AccountChange,
): Promise<void> {
  const { plan, rateLimit, role, isVerified } = readChange(change)
  await transact(db, async (tx) => {
    await refuseUnknown(tx, accountId)
    if (role === 'user') await refuseLastOperator(tx, accountId)
    await tx
      .updateTable('accounts')
      .set((eb) => ({
        id: accountId,
        ...(plan === undefined ? {} : { plan }),
        ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
        ...(role === undefined ? {} : { role }),
        ...(isVerified
          ? { email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(clock.nowUs())) }
          : {}),
      }))
      .where('id', '=', accountId)
      .execute()
  })
}

type ReadChange = {
  plan: string | undefined
  rateLimit: number | null | undefined
  role: Role | undefined
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

type OrderDeps = { db: Db; clock: Clock; blocks: BlockChanges }

/** Nobody signs in, its keys are refused, and its links say that they are blocked. Everything stays, and can come back. */
export async function suspendAccount({ db, clock, blocks }: OrderDeps, accountId: number): Promise<void> {
  await transact(db, async (tx) => {
    await refuseUnknown(tx, accountId)
    await refuseLastOperator(tx, accountId)
    await tx
      .updateTable('accounts')
      .set((eb) => ({ suspended_at: eb.fn.coalesce('suspended_at', eb.val(clock.nowUs())) }))
      .where('id', '=', accountId)
      .execute()
    await endAllSessions(tx, accountId)
  })
  await blocks.changed()
}

export async function reinstateAccount({ db, blocks }: OrderDeps, accountId: number): Promise<void> {
  await transact(db, async (tx) => {
    await refuseUnknown(tx, accountId)
    await tx.updateTable('accounts').set({ suspended_at: null }).where('id', '=', accountId).execute()
  })
  await blocks.changed()
}

async function refuseUnknown(tx: Db, accountId: number): Promise<void> {
  const row = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'Account not found.')
}
