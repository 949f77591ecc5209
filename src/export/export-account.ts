import { sql } from 'kysely'
import { accountById } from '../accounts/find-account.ts'
import { listPasskeys } from '../accounts/passkeys.ts'
import { limitOrNull } from '../accounts/plans.ts'
import { listSessions } from '../accounts/session.ts'
import { listKeys } from '../api-keys/find-key.ts'
import { dailyUsage } from '../api-keys/daily-usage.ts'
import { type Clock, HOUR_US, isoMicroseconds, isoOrNull } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

type ExportDeps = { db: Db; clock: Clock }

/** One line of the export: what it is, and all there is about it. Times are ISO 8601, UTC. */
export type ExportLine = { type: string } & Record<string, unknown>

const ROWS_AT_ONCE = 1_000
/** Single clicks are in the order of time, all accounts' together: a stretch of them is looked through at once. */
const CLICKS_LOOKED_AT = 20_000

/**
 * Everything that is kept of an account, but for what is only kept as a hash; a page of lines at a time. The last line
 * says that it is the last: a file without it was cut off.
 */
export async function* exportAccount(deps: ExportDeps, accountId: number): AsyncGenerator<ExportLine[]> {
  yield await personLines(deps, accountId)
  for await (const links of pages((after) => linkLines(deps.db, { accountId, after }))) yield links
  for await (const hours of linkHours(deps.db, accountId)) yield hours
  for await (const clicks of singleClicks(deps.db, accountId)) yield clicks
  yield [{ type: 'end' }]
}

async function personLines(deps: ExportDeps, accountId: number): Promise<ExportLine[]> {
  const account = await accountById(deps.db, accountId)
  const { days } = await dailyUsage(deps, accountId)
  return [
    {
      type: 'account',
      id: account.id,
      name: account.name,
      email: account.email,
      email_verified_at: isoOrNull(account.emailVerifiedAtUs),
      plan: account.plan,
      role: account.role,
      has_two_factor: account.hasSecondFactor,
      created_at: isoMicroseconds(account.createdAtUs),
      last_signed_in_at: isoOrNull(account.lastSignedInAtUs),
    },
    ...(await listSessions(deps, accountId)).map((session) => ({
      type: 'session',
      device: session.device,
      created_at: isoMicroseconds(session.createdAtUs),
      last_used_at: isoMicroseconds(session.lastUsedAtUs),
    })),
    ...(await listPasskeys(deps.db, accountId)).map((passkey) => ({
      type: 'passkey',
      name: passkey.name,
      created_at: isoMicroseconds(passkey.createdAtUs),
      last_used_at: isoOrNull(passkey.lastUsedAtUs),
    })),
    ...(await listKeys(deps, accountId)).map((key) => ({
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

type Page = { lines: ExportLine[]; last: number | undefined }
type Place = { accountId: number; after: number }

/** Page after page, by ids, until one has none. */
async function* pages(read: (after: number) => Promise<Page>): AsyncGenerator<ExportLine[]> {
  for (let after = 0; ;) {
    const { lines, last } = await read(after)
    if (last === undefined) return
    if (lines.length > 0) yield lines
    after = last
  }
}

async function linkLines(db: Db, { accountId, after }: Place): Promise<Page> {
  const rows = await db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .selectAll('links')
    .select(['link_totals.clicks', 'link_totals.visitors', 'link_totals.bots', 'link_totals.last_clicked_at'])
    .where('links.account_id', '=', accountId)
    .where('links.id', '>', after)
    .orderBy('links.id')
    .limit(ROWS_AT_ONCE)
    .execute()
  const lines = rows.map((row) => ({
    type: 'link',
    id: row.id,
    short_code: row.code,
    svc_id: row.svc_id,
    original_url: row.original_url,
    title: row.title,
    is_active: row.is_active === 1,
    created_at: isoMicroseconds(row.created_at),
    updated_at: isoMicroseconds(row.updated_at),
    clicks: row.clicks ?? 0,
    unique_visitors: row.visitors ?? 0,
    bots: row.bots ?? 0,
    last_clicked_at: isoOrNull(row.last_clicked_at),
  }))
  return { lines, last: rows.at(-1)?.id }
}

/** The counters of every link that had a click, deleted ones too, by hour and audience. */
async function* linkHours(db: Db, accountId: number): AsyncGenerator<ExportLine[]> {
  for await (const links of pages((after) => clickedLinks(db, { accountId, after }))) {
    for (const { link_id: linkId } of links) {
      for (let after = BEFORE_ALL; ;) {
        const rows = await hourRows(db, { linkId: Number(linkId), after })
        if (rows.length === 0) break
        yield rows.map((row) => hourLine(Number(linkId), row))
        after = rows.at(-1)!
      }
    }
  }
}

async function clickedLinks(db: Db, { accountId, after }: Place): Promise<Page> {
  const rows = await db
    .selectFrom('link_totals')
    .select('link_id')
    .where('account_id', '=', accountId)
    .where('link_id', '>', after)
    .orderBy('link_id')
    .limit(ROWS_AT_ONCE)
    .execute()
  return { lines: rows.map((row) => ({ type: 'clicked link', ...row })), last: rows.at(-1)?.link_id }
}

type HourPlace = { hour: number; audience_id: number }
type HourRow = Awaited<ReturnType<typeof hourRows>>[number]

const BEFORE_ALL: HourPlace = { hour: -1, audience_id: -1 }

function hourRows(db: Db, { linkId, after }: { linkId: number; after: HourPlace }) {
  return db
    .selectFrom('link_hours')
    .leftJoin('audiences', 'audiences.id', 'link_hours.audience_id')
    .select(['hour', 'audience_id', 'clicks', 'visitors', 'bots'])
    .select(['country', 'device', 'browser', 'os', 'referrer'])
    .where('link_id', '=', linkId)
    .where(sql<boolean>`(hour, audience_id) > (${after.hour}, ${after.audience_id})`)
    .orderBy('hour')
    .orderBy('audience_id')
    .limit(ROWS_AT_ONCE)
    .execute()
}

const hourLine = (linkId: number, { hour, audience_id: _, visitors, os, ...row }: HourRow): ExportLine => ({
  type: 'clicks_of_hour',
  link_id: linkId,
  hour: isoMicroseconds(hour * HOUR_US),
  unique_visitors: visitors,
  operating_system: os,
  ...row,
})

async function* singleClicks(db: Db, accountId: number): AsyncGenerator<ExportLine[]> {
  const { first, last } = await db
    .selectFrom('clicks')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  for (let from = first; from <= last; from += CLICKS_LOOKED_AT) {
    const rows = await db
      .selectFrom('clicks')
      .leftJoin('audiences', 'audiences.id', 'clicks.audience_id')
      .select(['clicks.link_id', 'clicks.clicked_at', 'clicks.is_bot'])
      .select(['country', 'device', 'browser', 'os as operating_system', 'referrer'])
      .where('clicks.id', '>=', from)
      .where('clicks.id', '<', from + CLICKS_LOOKED_AT)
      .where(sql<boolean>`clicks.account_id = ${accountId}`)
      .execute()
    if (rows.length === 0) continue
    yield rows.map(({ clicked_at: clickedAt, is_bot: isBot, ...row }) => ({
      type: 'click',
      ...row,
      clicked_at: isoMicroseconds(clickedAt),
      is_bot: isBot === 1,
    }))
  }
}
