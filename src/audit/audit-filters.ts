import { sql } from 'kysely'
import { z } from 'zod'
import { contains } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { choice } from '../validation/field-rules.ts'
import {
  idParameter,
  nameParameter,
  searchParameter,
  several,
  timeParameter,
} from '../validation/query-parameters.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'

/** How a change was made. */
const AUDIT_CLIENTS = ['dashboard', 'api', 'command_line'] as const
type AuditClient = (typeof AUDIT_CLIENTS)[number]

export const auditParameters = {
  search: searchParameter.meta({
    description: 'Text in the name of who made the change, in the target or in a value.',
    example: 'launch',
  }),
  user: several(idParameter).meta({
    description: 'Only changes by this user without an API key, by ID. May be repeated: any of them.',
  }),
  key: several(idParameter).meta({
    description: 'Only changes with this API key, by ID. May be repeated: any of them.',
  }),
  action: several(choice(AUDIT_ACTIONS)).meta({
    description: 'Only this action. May be repeated: any of them.',
    example: ['link.deleted'],
  }),
  target: nameParameter.meta({ maxLength: 255 }).optional().meta({
    description: 'Only changes of what has exactly this code, host, email address or name.',
  }),
  from: timeParameter.optional().meta({
    description: 'Only changes at this time or later. ISO 8601 with its zone.',
    example: '2026-11-01T00:00:00Z',
  }),
  to: timeParameter.optional().meta({
    description: 'Only changes before this time. ISO 8601 with its zone.',
    example: '2026-12-01T00:00:00Z',
  }),
  client: several(choice(AUDIT_CLIENTS)).meta({
    description: 'Only changes made this way. May be repeated: any of them.',
    example: ['api'],
  }),
}

/** What a list or file of the audit log is narrowed to; an undefined one narrows nothing. */
export type AuditFilters = Partial<z.output<z.ZodObject<typeof auditParameters>>>

const CLIENT_NAMES = { api: 'API', command_line: 'command line' }

/** All filters but the period, as one condition on `audit_log`. */
export function entryCondition(db: ReadOnlyDb, filters: AuditFilters) {
  const { user: userIds, key: keyIds, action: actions, target, client: clients, search = '' } = filters
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
