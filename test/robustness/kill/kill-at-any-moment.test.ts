import { setDefaultTimeout, test } from 'bun:test'
import { seededRandom } from '../../rigs/program/click-load.ts'
import type { Settings } from '../../rigs/program/server-process.ts'
import { killNode } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { names, startLoad } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
/** In the title of the test. The same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(300_000 + ROUNDS * 20_000)

/** One in this many servers is killed before it responds. */
const KILLED_EARLY = 4
/** The settings of the rounds, in turn. */
const SETTINGS: Settings[] = [{ JOURNAL_SEGMENT_BYTES: '64KiB' }, { JOURNAL_SYNC: 'disk' }, {}]

test(`every promise is kept in ${ROUNDS} rounds of kill -9 at any moment (seed ${SEED})`, async () => {
  await using tern = await Tern.start()
  const random = seededRandom(SEED)
  const load = await startLoad(tern, { visitors: 12, codes: names('code', 50), random })
  await killNode(tern)
  for (let round = 0; round < ROUNDS; round++) {
    const started = tern.start(0, SETTINGS[round % SETTINGS.length])
    if (random() < 1 / KILLED_EARLY) {
      started.catch(() => {})
      await Bun.sleep(random() * 700)
    } else {
      await started
      await Bun.sleep(100 + random() * 1200)
    }
    await killNode(tern)
  }
  await tern.start()
  await load.continues()
  await expectInvariants(tern)
})
