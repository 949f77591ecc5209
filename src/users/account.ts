import { sql } from 'kysely'
import type { AnyDb } from '../store/handles.ts'
import { toUser, type User } from './user.ts'

/** A user and one of their workspaces. The two ids are independent of each other. */
export type Account = Omit<User, 'id'> & {
  userId: number
  workspaceId: number
  plan: string
  subscriptionStatus: string
  /** Null when it never ends. */
  subscriptionExpiresAtUs: number | null
  /** Requests per hour for each key; null: what the plan allows. */
  rateLimit: number | null
  /** Null unless the operator has suspended the workspace. */
  workspaceSuspendedAtUs: number | null
}

/** Each membership is a row. */
export const selectAccounts = (db: AnyDb) =>
  db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .selectAll('users')
    .select(['members.workspace_id', 'workspaces.plan', 'workspaces.subscription_status'])
    .select(['workspaces.subscription_expires_at', 'workspaces.rate_limit'])
    .select('workspaces.suspended_at as workspace_suspended_at')

export type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>

/** Users with the workspace they own; of several, the first that they joined. */
export const selectOwnAccounts = (db: AnyDb) =>
  selectAccounts(db).where(
    'members.workspace_id',
    '=',
    sql<number>`(SELECT own.workspace_id FROM members AS own
      WHERE own.user_id = users.id AND own.role = 'owner' ORDER BY own.joined_at, own.workspace_id LIMIT 1)`,
  )

export function toAccount({ workspace_id: workspaceId, ...row }: AccountRow): Account {
  const { id: userId, ...user } = toUser(row)
  return {
    ...user,
    userId,
    workspaceId,
    plan: row.plan,
    subscriptionStatus: row.subscription_status,
    subscriptionExpiresAtUs: row.subscription_expires_at,
    rateLimit: row.rate_limit,
    workspaceSuspendedAtUs: row.workspace_suspended_at,
  }
}
