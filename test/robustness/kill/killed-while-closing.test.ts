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
