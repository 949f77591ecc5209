import { sql } from 'kysely'
import type { SignedInCaller } from '../access/caller.ts'
import { accountOf } from '../users/find-account.ts'
import { listPasskeys } from '../users/second-factor/passkeys.ts'
import { listIdentities } from '../users/single-sign-on/identities.ts'
import { limitOrNull } from '../workspaces/plans.ts'
import { listSessions } from '../users/sign-in/session.ts'
import { listVisibleKeys } from '../api-keys/find-key.ts'
import { dailyUsage } from '../api-keys/daily-usage.ts'
import { type Clock, HOUR_US, isoMicroseconds, isoOrNull } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { deletedLinkLines, type LinkLineDeps, linkLines } from './link-lines.ts'
import { type ExportLine, type Page, pages, type PagePosition, ROWS_AT_ONCE } from './pages.ts'
import { workspaceLines } from './workspace-lines.ts'
import { versionLines } from './version-lines.ts'

type ExportDeps = LinkLineDeps & { clock: Clock }

/** Single clicks are stored by time, for all workspaces together, and read this many at a time. */
const CLICKS_LOOKED_AT = 4_000

/**
 * Everything stored about a user and the workspace they work in, except hashes; a page of records at a time. A file without the
 * record `end` is incomplete.
 */
export async function* exportAccount(deps: ExportDeps, caller: SignedInCaller): AsyncGenerator<ExportLine[]> {
  const { workspaceId } = caller
  yield await userLines(deps, caller)
  yield await workspaceLines(deps, caller)
  for (const lines of [linkLines, deletedLinkLines]) {
    for await (const links of pages((after) => lines(deps, { workspaceId, after }))) {
      yield links
      yield* versionLines(
        deps.db,
        links.map(({ id }) => id as number),
      )
    }
  }
  for await (const hours of linkHours(deps.db, workspaceId)) yield hours
  for await (const clicks of singleClicks(deps.db, workspaceId)) yield clicks
  yield [{ type: 'end' }]
}

async function userLines(deps: ExportDeps, caller: SignedInCaller): Promise<ExportLine[]> {
  const { workspaceId, userId } = caller
  const account = await accountOf(deps.db, caller)
  const { days } = await dailyUsage(deps, workspaceId)
  return [
    {
      type: 'account',
      id: userId,
      name: account.name,
      email: account.email,
      email_verified_at: isoOrNull(account.emailVerifiedAtUs),
      plan: account.plan,
      role: account.role,
      has_password: account.hasPassword,
      has_two_factor: account.hasSecondFactor,
      created_at: isoMicroseconds(account.createdAtUs),
      last_signed_in_at: isoOrNull(account.lastSignedInAtUs),
    },
    ...(await listSessions(deps, userId)).map((session) => ({
      type: 'session',
      device: session.device,
      created_at: isoMicroseconds(session.createdAtUs),
      last_used_at: isoMicroseconds(session.lastUsedAtUs),
    })),
    ...(await listPasskeys(deps.db, userId)).map((passkey) => ({
      type: 'passkey',
      name: passkey.name,
      created_at: isoMicroseconds(passkey.createdAtUs),
      last_used_at: isoOrNull(passkey.lastUsedAtUs),
    })),
    ...(await listIdentities(deps.db, userId)).map((identity) => ({
      type: 'identity',
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      linked_at: isoMicroseconds(identity.createdAtUs),
      last_used_at: isoMicroseconds(identity.lastUsedAtUs),
    })),
    ...(await listVisibleKeys(deps, caller)).map((key) => ({
      type: 'api_key',
      name: key.name,
      scopes: key.scopes,
      rate_limit: limitOrNull(key.rateLimit),
      created_at: isoMicroseconds(key.createdAtUs),
      last_used_at: isoOrNull(key.lastUsedAtUs),
      revoked_at: isoOrNull(key.revokedAtUs),
    })),
    ...days.filter(({ requests }) => requests > 0).map((day) => ({ type: 'api_usage', ...day })),
  ]
}

/** Includes deleted links. */
async function* linkHours(db: ReadOnlyDb, workspaceId: number): AsyncGenerator<ExportLine[]> {
  for await (const links of pages((after) => clickedLinks(db, { workspaceId, after }))) {
    for (const { link_id: linkId } of links) {
      for (let after = BEFORE_ALL; ;) {
        const rows = await hourRows(db, { linkId: Number(linkId), after })
        if (rows.length === 0) break
        yield rows.map((row) => hourLine(Number(linkId), row))
        after = rows.at(-1)!
      }
      yield* valuesOfHours(db, Number(linkId))
    }
  }
}

/** Dimensions that few clicks have: of hours, links and values that had some. */
async function* valuesOfHours(db: ReadOnlyDb, linkId: number): AsyncGenerator<ExportLine[]> {
  for (let after: ValuePlace = { dimension: '', hour: -1, value: '' }; ;) {
    const rows = await db
      .selectFrom('link_dimension_hours')
      .select(['dimension', 'hour', 'value', 'clicks', 'visitors as unique_visitors'])
      .where('link_id', '=', linkId)
      .where(sql<boolean>`(dimension, hour, value) > (${after.dimension}, ${after.hour}, ${after.value})`)
      .orderBy('dimension')
      .orderBy('hour')
      .orderBy('value')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ hour, ...row }) => ({
      type: 'clicks_of_hour_by_value',
      link_id: linkId,
      hour: isoMicroseconds(hour * HOUR_US),
      ...row,
    }))
    after = rows.at(-1)!
  }
}

async function clickedLinks(db: ReadOnlyDb, { workspaceId, after }: PagePosition): Promise<Page> {
  const rows = await db
    .selectFrom('link_totals')
    .select('link_id')
    .where('workspace_id', '=', workspaceId)
    .where('link_id', '>', after)
    .orderBy('link_id')
    .limit(ROWS_AT_ONCE)
    .execute()
  return { lines: rows.map((row) => ({ type: 'clicked link', ...row })), last: rows.at(-1)?.link_id }
}

type HourPlace = { hour: number; dimensions_id: number }
type ValuePlace = { dimension: string; hour: number; value: string }
type HourRow = Awaited<ReturnType<typeof hourRows>>[number]

const BEFORE_ALL: HourPlace = { hour: -1, dimensions_id: -1 }

function hourRows(db: ReadOnlyDb, { linkId, after }: { linkId: number; after: HourPlace }) {
  return db
    .selectFrom('link_hours')
    .leftJoin('click_dimensions', 'click_dimensions.id', 'link_hours.dimensions_id')
    .select(['hour', 'dimensions_id', 'clicks', 'visitors', 'bots'])
    .select(['country', 'device', 'browser', 'os', 'referrer'])
    .where('link_id', '=', linkId)
    .where(sql<boolean>`(hour, dimensions_id) > (${after.hour}, ${after.dimensions_id})`)
    .orderBy('hour')
    .orderBy('dimensions_id')
    .limit(ROWS_AT_ONCE)
    .execute()
}

const hourLine = (linkId: number, { hour, dimensions_id: _, visitors, os, ...row }: HourRow): ExportLine => ({
  type: 'clicks_of_hour',
  link_id: linkId,
  hour: isoMicroseconds(hour * HOUR_US),
  unique_visitors: visitors,
  operating_system: os,
  ...row,
})

/** Of clicks by the link's own short URL to its plain destination, in an unknown language. */
const PLAIN_EXTRAS = { variant: null, via: 'link', language: null, alias: null }

async function* singleClicks(db: ReadOnlyDb, workspaceId: number): AsyncGenerator<ExportLine[]> {
  const { first, last } = await db
    .selectFrom('clicks')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  for (let from = first; from <= last; from += CLICKS_LOOKED_AT) {
    const rows = await db
      .selectFrom('clicks')
      .leftJoin('click_dimensions', 'click_dimensions.id', 'clicks.dimensions_id')
      .select(['clicks.link_id', 'clicks.clicked_at', 'clicks.is_bot', 'clicks.extras'])
      .select(['country', 'device', 'browser', 'os as operating_system', 'referrer'])
      .where('clicks.id', '>=', from)
      .where('clicks.id', '<', from + CLICKS_LOOKED_AT)
      .where(sql<boolean>`clicks.workspace_id = ${workspaceId}`)
      .execute()
    if (rows.length === 0) continue
    yield rows.map(({ clicked_at: clickedAt, is_bot: isBot, extras, ...row }) => ({
      type: 'click',
      ...row,
      ...PLAIN_EXTRAS,
      ...(extras == null ? {} : (JSON.parse(extras) as object)),
      clicked_at: isoMicroseconds(clickedAt),
      is_bot: isBot === 1,
    }))
  }
}
