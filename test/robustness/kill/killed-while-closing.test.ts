import { expect, setDefaultTimeout, test } from 'bun:test'
import { listClickFiles } from '../../../src/clicks/parquet/click-files.ts'
import { openStoreReader } from '../../../src/store/open-store-reader.ts'
import { seededRandom } from '../../rigs/program/click-load.ts'
import { killNode } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { names, startVisits } from '../driver/load.ts'
import { movesClicks } from '../driver/moving-clicks.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4)
/** In the title of the test. The same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(300_000 + ROUNDS * 30_000)

test(`no click is lost or doubled in ${ROUNDS} rounds of kill -9 while clicks move into files (seed ${SEED})`, async () => {
  await using tern = await Tern.start({ changes: movesClicks({ leftOpen: 20, movedAtOnce: 150 }) })
  const random = seededRandom(SEED)
  const load = await startVisits(tern, { visitors: 4, codes: names('code', 50), random })
  for (let round = 0; round < ROUNDS; round++) {
    await load.continues(300)
    await Bun.sleep(random() * 1500)
    await killNode(tern)
    await tern.start(0)
  }
  await load.continues()
  await expectInvariants(tern)
  const { db, close } = openStoreReader(tern.dataDir)
  expect((await listClickFiles(db)).length).toBeGreaterThan(0)
  await close()
})

/** Clicks move into files all the time, a few at once, and files are written into one again and again. */
const RESTLESS: readonly Change[] = [
  { path: 'src/clicks/facts/last-to-close.ts', of: 'LEFT_OPEN = 10_000', instead: 'LEFT_OPEN = 20' },
  {
    path: 'src/clicks/facts/last-to-close.ts',
    of: 'CLOSED_AT_ONCE = 50_000',
    instead: 'CLOSED_AT_ONCE = 150',
  },
  {
    path: 'src/clicks/parquet/plan-rewrites.ts',
    of: 'FILES_OF_DAY_MAX = 16',
    instead: 'FILES_OF_DAY_MAX = 3',
  },
  { path: 'src/background/jobs.ts', of: 'everyMs: 15 * SECOND_MS', instead: 'everyMs: 300' },
]
