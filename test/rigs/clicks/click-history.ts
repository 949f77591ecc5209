import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SeededChance } from '../../../bench/rigs/traffic.ts'
import { CLICK_BYTES_MAX, type Click, encodeClick } from '../../../src/clicks/journal/click.ts'
import { realFiles } from '../../../src/clicks/journal/files.ts'
import { JournalReader } from '../../../src/clicks/ingest/journal-reader.ts'
import { readUserAgent } from '../../../src/clicks/visitor/read-user-agent.ts'
import { closeFrame, FRAME_HEAD_BYTES } from '../../../src/clicks/journal/frame.ts'
import { NO_SEGMENT, type SegmentHeader } from '../../../src/clicks/journal/segment.ts'
import { SegmentWriter } from '../../../src/clicks/journal/segment-writer.ts'
import { DAY_US, HOUR_US, systemClock } from '../../../src/runtime/clock.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import type { Store } from '../../../src/store/open-store.ts'
import {
  BOTS,
  COUNTRIES,
  HISTORY_LINKS,
  type HistoryLink,
  HOURS,
  REFERRERS,
  USER_AGENTS,
  WEEKDAYS,
  type Weighted,
} from './click-history.data.ts'
import type { TestUser } from '../service/dashboard-rig.ts'
import { countAll, recordingLog, THIS_BOOT } from './ingest-rig.ts'

export type HistoryOptions = {
  /** Before each code, where several accounts of a service have a history. */
  prefix?: string
  /** When the history ends; now, unless it is said. */
  nowUs?: number
}
export type History = {
  /** Codes and how many human clicks each has. */
  clicksOf: Map<string, number>
  clicks: number
  bots: number
}

/** Days at whose end the history stands. */
const DAYS = 90
const BOT_SHARE = 0.05
/** Distinct visitors; the first come often, most once or twice. */
const CROWD = 4_000

/**
 * Gives a user the links of HISTORY_LINKS with clicks of ninety days: a trend that rises, weeks and days with their
 * rhythm. Links are made as the dashboard makes them; clicks are written as a segment of a journal, and counted by the
 * service's own reader. The same for the same moment.
 */
export async function makeHistory(
  { store }: { store: Store },
  user: TestUser,
  { prefix = '', nowUs = systemClock.nowUs() }: HistoryOptions = {},
): Promise<History> {
  const links = await makeLinks(store, user, { prefix, nowUs })
  const chance = new SeededChance(20_261_121)
  const clicks = links
    .flatMap((link) => clicksOn(chance, link, nowUs))
    .sort((a, b) => a.clickedAtUs - b.clickedAtUs)
  await countClicks(store, clicks)
  return historyOf(links, clicks)
}

type MadeLink = HistoryLink & { id: number; workspaceId: number }

/** Through the service, oldest first; their creation times are then set in the store. */
async function makeLinks(
  { db }: Store,
  { browser, email }: TestUser,
  { prefix, nowUs }: Required<HistoryOptions>,
): Promise<MadeLink[]> {
  const wanted = HISTORY_LINKS.toReversed()
  const made: { id: number }[] = await browser.succeed('POST', '/bulk-shorten', {
    links: wanted.map(({ code, title, url, isOff }) => ({
      original_url: url,
      title,
      custom_code: prefix + code,
      is_active: isOff !== true,
    })),
  })
  const account = await db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select('workspace_id as id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('workspaces')
    .set({ created_at: nowUs - 2 * DAYS * DAY_US })
    .where('id', '=', account.id)
    .execute()
  const links = made.map(({ id }, at) => ({ ...wanted[at]!, id, workspaceId: account.id }))
  for (const { id, bornDaysAgo } of links) {
    await db
      .updateTable('links')
      // The ids are in the order of the days, and within a day an hour apart.
      .set({ created_at: nowUs - bornDaysAgo * DAY_US - (links.length - (id % links.length)) * 60_000_000 })
      .where('id', '=', id)
      .execute()
  }
  return links
}

function clicksOn(chance: SeededChance, link: MadeLink, nowUs: number): Click[] {
  const today = Math.floor(nowUs / DAY_US)
  const clicks: Click[] = []
  for (let day = today - link.bornDaysAgo; day <= today; day++) {
    const count = aroundBy(chance, expectedOn(link, day, today))
    for (let i = 0; i < count; i++) {
      const clickedAtUs = day * DAY_US + momentOfDay(chance)
      if (clickedAtUs <= nowUs && clickedAtUs >= nowUs - link.bornDaysAgo * DAY_US)
        clicks.push(aClick(chance, link, clickedAtUs))
    }
  }
  return clicks
}

/** A third more each month, the rhythm of the week, and campaigns that begin with a rush. */
function expectedOn({ perDay, bornDaysAgo, isCampaign }: HistoryLink, day: number, today: number): number {
  const trend = 0.42 + 0.58 * (1 - (today - day) / DAYS)
  const age = bornDaysAgo - (today - day)
  const rush = isCampaign ? 0.12 + 5 * Math.exp(-age / 2.2) : 1
  // Day 0 of 1970 was a Thursday.
  return perDay * trend * rush * WEEKDAYS[(day + 4) % 7]!
}

/** As many as come by chance where this number is expected (Poisson, by Knuth's way). */
function aroundBy(chance: SeededChance, expected: number): number {
  const least = Math.exp(-expected)
  let count = -1
  for (let product = 1; product > least; count++) product *= chance.next()
  return Math.max(0, count)
}

const HOUR_CHOICES: Weighted[] = HOURS.map((weight, hour) => [String(hour), weight])

const momentOfDay = (chance: SeededChance): number =>
  Math.floor((Number(oneOf(chance, HOUR_CHOICES)) + chance.next()) * HOUR_US)

function aClick(chance: SeededChance, { id, workspaceId, from }: MadeLink, clickedAtUs: number): Click {
  const isBot = chance.next() < BOT_SHARE
  return {
    linkId: id,
    workspaceId,
    clickedAtUs,
    visitor: chance.skewed(CROWD) * 2_654_435_761,
    country: oneOf(chance, COUNTRIES),
    userAgent: oneOf(chance, isBot ? BOTS : USER_AGENTS),
    referrer: oneOf(chance, REFERRERS[from] as Weighted[]),
  }
}

function oneOf(chance: SeededChance, choices: readonly Weighted[]): string {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = chance.next() * total
  return choices.find(([, weight]) => (rest -= weight) < 0)![0]
}

/** As one sealed segment of a journal of its own, which the service's reader counts to its end. */
async function countClicks(store: Store, clicks: readonly Click[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-history-'))
  try {
    mkdirSync(folder, { recursive: true })
    await writeSegment(folder, clicks)
    const log = recordingLog()
    const reader = new JournalReader(
      {
        store,
        log,
        readUserAgent,
        clock: systemClock,
        files: realFiles,
        metrics: openMetrics(newSharedMetrics()),
      },
      { folder, boot: THIS_BOOT, retentionUs: 0, hasExactTimes: true },
    )
    await reader.findSegments()
    await countAll(reader)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function writeSegment(folder: string, clicks: readonly Click[]): Promise<void> {
  const header: SegmentHeader = {
    format: 1,
    segment: Bun.randomUUIDv7(),
    folder: crypto.randomUUID(),
    boot: crypto.randomUUID(),
    previous: NO_SEGMENT,
    previousEnd: 0,
    baseCount: 0,
    createdAtUs: systemClock.nowUs(),
    node: 'history',
  }
  const writer = await SegmentWriter.create(realFiles, { folder, header, sync: 'os' })
  const buffer = Buffer.alloc(clicks.length * (FRAME_HEAD_BYTES + CLICK_BYTES_MAX))
  let end = 0
  for (const click of clicks)
    end = closeFrame(buffer, end, encodeClick(buffer, end + FRAME_HEAD_BYTES, click))
  await writer.append(buffer.subarray(0, end), clicks.length)
  await writer.seal()
}

function historyOf(links: readonly MadeLink[], clicks: readonly Click[]): History {
  const isBot = ({ userAgent }: Click) => readUserAgent(userAgent).isBot
  const humans = clicks.filter((click) => !isBot(click))
  const clicksOf = new Map(
    links.map(({ id, code }) => [code, humans.filter(({ linkId }) => linkId === id).length]),
  )
  return { clicksOf, clicks: humans.length, bots: clicks.length - humans.length }
}
