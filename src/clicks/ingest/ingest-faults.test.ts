import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { FaultyFiles } from '../../../test/rigs/clicks/faulty-files.ts'
import { failingAtStatement, losingOneResponse } from '../../../test/rigs/store/faulty-store.ts'
import {
  agreedCounts,
  countAll,
  forgetCounts,
  recordingLog,
  newReader,
  storedClicks,
} from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US, openJournalRig } from '../../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { manualClock } from '../../runtime/clock.ts'
import type { Store } from '../../store/open-store.ts'
import { useTestStore, testOnSqlite } from '../../../test/rigs/store/test-store.ts'
import { realFiles } from '../journal/files.ts'
import type { JournalReader } from './journal-reader.ts'

const folders = temporaryFolders()
const clock = manualClock(NOON_US)
const store = useTestStore()

afterEach(folders.remove)

const people = Array.from({ length: 30 }, (_, i) =>
  aClick(i % 20, { linkId: 1 + (i % 3), workspaceId: 1 + (i % 2) }),
)
const bots = [aClick(1, { userAgent: 'Bot/1' }), aClick(2, { userAgent: 'Bot/1', linkId: 2 })]
const all = [...people, ...bots]

describe('every click counts exactly once', () => {
  test('whichever statement fails on the way', async () => {
    let failures = 0
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const openReader = await journaled()
      const { store: faulty, hasFailed } = failingAtStatement(store, nth)
      const reader = await openReader(faulty).catch(() => openReader(faulty))
      failures += await countAllRetrying(reader)
      isOver = !hasFailed()
      await expectAll()
      await forgetCounts(store.relaxedDb)
    }
    expect(failures).toBeGreaterThan(20)
  })

  test('when a commit is done and its answer lost', async () => {
    const openReader = await journaled()
    expect(await countAllRetrying(await openReader(losingOneResponse(store)))).toBe(1)
    await expectAll()
  })

  testOnSqlite('when SQLite itself rolls the transaction back', async () => {
    const openReader = await journaled()
    const reader = await openReader(store)
    await sql`CREATE TRIGGER no_room BEFORE INSERT ON workspace_hours WHEN new.dimension = 'os'
      BEGIN SELECT RAISE(ROLLBACK, 'no room'); END`.execute(store.db)
    await expect(reader.countSome()).rejects.toThrow('no room')
    expect(await agreedCounts(store.db)).toEqual({ clicks: 0, visitors: 0, bots: 0 })
    await sql`DROP TRIGGER no_room`.execute(store.db)
    await countAll(reader)
    await expectAll()
  })
})

/** Counts to the end; a call that fails is made again. Returns how many failed. */
async function countAllRetrying(reader: JournalReader): Promise<number> {
  for (let failures = 0; failures < 100; failures++) {
    try {
      await countAll(reader)
      return failures
    } catch {}
  }
  throw new Error('It failed each time.')
}

/** Journals the clicks as a run before this one, and gives a reader that works on the store it is handed. */
async function journaled(): Promise<(through: Store) => Promise<JournalReader>> {
  const folder = join(folders.make(), 'journal')
  await realFiles.makeFolder(folder)
  const { journal } = openJournalRig(new FaultyFiles(), { folder, segmentBytesMax: 900 })
  for (const click of all) await journal.append({ ...click })
  await journal.close()
  return async (through) => {
    const reader = newReader({ store: through, clock, files: realFiles, log: recordingLog() }, { folder })
    await reader.findSegments()
    return reader
  }
}

async function expectAll(): Promise<void> {
  const { clicks, bots: botsCounted } = await agreedCounts(store.db)
  expect([clicks, botsCounted]).toEqual([people.length, bots.length])
  // Of bots nothing is kept, nor their number.
  const numbers = [...people.map(({ visitor }) => visitor), ...bots.map(() => 0)]
  expect(await storedClicks(store.db)).toEqual(numbers.sort((a, b) => a - b))
  const visitors = await store.db
    .selectFrom('workspace_totals')
    .select('visitors')
    .orderBy('workspace_id')
    .execute()
  expect(visitors).toEqual([1, 2].map((workspaceId) => ({ visitors: distinctVisitors(workspaceId) })))
}

const distinctVisitors = (workspaceId: number) =>
  new Set(
    people.filter((click) => click.workspaceId === workspaceId && click.visitor !== 0).map((c) => c.visitor),
  ).size
