import { sql } from 'kysely'
import { contains } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { AuditAction } from './audit-actions.ts'

/** How a change was made. */
export const AUDIT_CLIENTS = ['dashboard', 'api', 'command_line'] as const
type AuditClient = (typeof AUDIT_CLIENTS)[number]

/** Undefined: any. Of several values, any of them. */
export type AuditFilters = {
  userIds?: readonly number[] | undefined
  keyIds?: readonly number[] | undefined
  actions?: readonly AuditAction[] | undefined
  /** As entries call it. */
  target?: string | undefined
  fromUs?: number | undefined
  /** Before this time. */
  toUs?: number | undefined
  clients?: readonly AuditClient[] | undefined
  /** In names, targets and values, whatever the case of its Latin letters; '' finds all. */
  search: string
}

const CLIENT_NAMES = { api: 'API', command_line: 'command line' }

/** All filters but the period, as one condition on `audit_log`. */
export function entryCondition(db: ReadOnlyDb, filters: AuditFilters) {
  const { userIds, keyIds, actions, target, clients, search } = filters
  const conditions = [
    userIds && sql<boolean>`user_id IN (${sql.join(userIds)}) AND api_key_id IS NULL`,
    keyIds && sql<boolean>`api_key_id IN (${sql.join(keyIds)})`,
    actions && sql<boolean>`action IN (${sql.join(actions)})`,
    target === undefined ? undefined : sql<boolean>`target = ${target}`,
    clients && sql<boolean>`(${sql.join(clients.map(madeThrough), sql` OR `)})`,
    search === '' ? undefined : contains(db, SEARCHED, withLowerLetters(search)),
  ].filter((each) => each !== undefined)
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` AND `)}`
}

const madeThrough = (client: AuditClient) =>
  client === 'dashboard'
    ? sql`client NOT IN (${sql.join(Object.values(CLIENT_NAMES))})`
    : sql`client = ${CLIENT_NAMES[client]}`

const SEARCHED = sql`lower(actor || ' ' || target || ' ' || coalesce(changes, ''))`

/** As `lower` of both engines does it: of A to Z only. */
const withLowerLetters = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
