/**
 * From the start of the program to its first answer to a visitor, with a million links and 100 MB of clicks in the
 * journal that a run which was killed has left. Counting them goes on behind it, and must end with every one counted.
 *
 *   npm run bench:start                        7 rounds
 *   ROUNDS=3 LINKS=100000 JOURNAL_MB=20 npm run bench:start
 *   PROGRAM=dist/tern npm run bench:start      the executable, not the source
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realFiles } from '../src/clicks/journal/files.ts'
import { journalFolder, openJournal } from '../src/clicks/journal/open-journal.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { makeLargeStore } from './rigs/large-store.ts'
import { codeOfLink } from './rigs/make-links.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'
import { aVisit, SeededChance } from './rigs/traffic.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const LINKS = Number(process.env.LINKS ?? 1_000_000)
const JOURNAL_BYTES = Number(process.env.JOURNAL_MB ?? 100) * 1e6
const PORT = 18_384
const TARGET_MS = 500
const COUNTING_MS_MAX = 600_000
const CLICKS_PER_GROUP = 64
const SEGMENT_BYTES = 16 * 1024 * 1024
const START_US = Date.UTC(2026, 3, 20, 12) * 1000

type Round = TernServer['firstAnswer'] & { allCountedMs: number }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const left = join(folder, 'left')
const dataDir = join(folder, 'data')
try {
  await makeLargeStore(left, LINKS)
  const journaled = await leaveJournal()
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await startOnce(journaled))
  report(journaled, rounds)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function startOnce(journaled: number): Promise<Round> {
  rmSync(dataDir, { recursive: true, force: true })
  cpSync(left, dataDir, { recursive: true })
  const tern = await TernServer.start({ dataDir, port: PORT, firstAsked: `/${codeOfLink(1)}` })
  const answeredMs = performance.now()
  try {
    await allCounted(tern)
  } finally {
    await tern.stop()
  }
  const allCountedMs = performance.now() - answeredMs
  const counted = await clicksInStore()
  // The first response is a click, too.
  if (counted !== journaled + 1) throw new Error(`${journaled} journaled and one made, ${counted} counted.`)
  return { ...tern.firstAnswer, allCountedMs }
}

async function allCounted(tern: TernServer): Promise<void> {
  const untilMs = performance.now() + COUNTING_MS_MAX
  while ((await tern.metric('tern_ingestion_lag_clicks')) !== 0) {
    if (performance.now() > untilMs) throw new Error('The journal is not counted.')
    await Bun.sleep(100)
  }
}

async function clicksInStore(): Promise<number> {
  const { db, close } = await openSqliteStore(dataDir, 'same-thread')
  const { clicks } = await db
    .selectFrom('workspace_totals')
    .select((eb) => eb.fn.sum<number>(eb('clicks', '+', eb.ref('bots'))).as('clicks'))
    .executeTakeFirstOrThrow()
  await close()
  return clicks
}

/** What a run leaves that is killed: its last segment has no seal. */
async function leaveJournal(): Promise<number> {
  const clock = manualClock(START_US)
  const journal = await openJournal(
    { files: realFiles, clock },
    {
      dataDir: left,
      node: 'bench',
      boot: '0193b1c0-0000-7000-8000-0000000000b0',
      sync: 'os',
      segmentBytesMax: SEGMENT_BYTES,
      onProgress() {},
    },
  )
  const chance = new SeededChance(1)
  for (let clicks = 0; ; clicks += CLICKS_PER_GROUP) {
    if (clicks % (100 * CLICKS_PER_GROUP) === 0 && journalBytes() >= JOURNAL_BYTES) return clicks
    const group = Array.from({ length: CLICKS_PER_GROUP }, () => aVisit(chance, LINKS))
    await Promise.all(group.map((click) => journal.append({ ...click, workspaceId: 1 })))
    clock.advance(CLICKS_PER_GROUP * 100)
  }
}

function journalBytes(): number {
  const journal = journalFolder(left)
  return readdirSync(journal).reduce((sum, name) => sum + statSync(join(journal, name)).size, 0)
}

function report(journaled: number, rounds: readonly Round[]): void {
  const row = (label: string, valueOf: (round: Round) => number, check = '') => {
    const values = rounds.map(valueOf)
    const shown = [median(values), Math.min(...values), Math.max(...values)]
    return [label, ...shown.map((ms) => Math.round(ms).toLocaleString('en')), check]
  }
  const isMet = median(rounds.map(({ afterMs }) => afterMs)) <= TARGET_MS
  console.log(
    `\n${machine()}; ${ROUNDS} starts of ${process.env.PROGRAM ?? 'the source'}, ${LINKS.toLocaleString('en')} links, ${journaled.toLocaleString('en')} clicks of ${Math.round(journalBytes() / 1e6)} MB left by a killed run\n`,
  )
  console.log(
    markdownTable(
      ['ms', 'median', 'fastest', 'slowest', 'target'],
      [
        row(
          'first redirect answered',
          ({ afterMs }) => afterMs,
          `≤ ${TARGET_MS} ${isMet ? 'met' : 'missed'}`,
        ),
        row('processor time until then, all threads', ({ cpuMs }) => cpuMs),
        row('every click counted, after that', ({ allCountedMs }) => allCountedMs),
      ],
    ),
  )
}
