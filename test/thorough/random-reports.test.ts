import { expect, setDefaultTimeout, test } from 'bun:test'
import { lacksClickHouse } from '../rigs/clicks/clickhouse-server.ts'
import { type Question, RandomQuestions } from '../rigs/reports/random-questions.ts'
import { type ReportedEngine, ReportedTern } from '../rigs/reports/reported-tern.ts'
import { enginesToTest } from '../rigs/store/test-store.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'

/** `HISTORY_CLICKS=1000000 HISTORY_QUESTIONS=10000 bun test test/thorough/random-reports.test.ts` takes an hour. */
const CLICKS = Number(process.env.HISTORY_CLICKS ?? 5_000)
/** On all engines together. */
const QUESTIONS = Number(process.env.HISTORY_QUESTIONS ?? 450)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))
setDefaultTimeout(600_000 + CLICKS * 10)

const ROUNDS = 20

const ENGINES: ReportedEngine[] = [
  ...enginesToTest('random reports'),
  ...(lacksClickHouse ? [] : ['clickhouse' as const]),
]

test.each(ENGINES)(
  `every report of a history is right on %s, while clicks arrive and move (SEED=${SEED})`,
  async (engine) => {
    const random = new SeededRandom(SEED)
    await using world = await ReportedTern.start(engine, { clicks: CLICKS, random: random.fork() })
    const questions = new RandomQuestions(random.fork(), world)
    const complaints: object[] = []
    for (let round = 0; round < ROUNDS && complaints.length < COMPLAINTS_MAX; round++) {
      const count = world.countClicks(Math.ceil(CLICKS / ROUNDS))
      // Which hosts and texts there are is looked up just before, so these need a moment in which no new ones come.
      const ofOneMoment = () => questions.next({ mayLookUp: false })
      const [complaintsOfCount] = await Promise.all([checkReports(world, ofOneMoment), count])
      complaints.push(...complaintsOfCount, ...(await checkReports(world, () => questions.next())))
      if (random.chance(0.2))
        await world.deleteLink(random.pick(world.links.filter(({ isDeleted }) => !isDeleted)))
    }
    expect(complaints).toEqual([])
    expect(world.history.left).toBe(0)
    if (engine !== 'postgres') expect(await world.moves()).toBeGreaterThan(ROUNDS)
  },
)

const REQUESTS_AT_ONCE = 3
const COMPLAINTS_MAX = 10
const QUESTIONS_OF_HALF_ROUND = Math.ceil(QUESTIONS / ENGINES.length / ROUNDS / 2)

/** Half of the questions of a round. Returns what is wrong with the answers. */
async function checkReports(world: ReportedTern, next: () => Question): Promise<object[]> {
  const complaints: object[] = []
  let left = QUESTIONS_OF_HALF_ROUND
  const check = async () => {
    while (left-- > 0) {
      const complaint = await world.complaint(next())
      if (complaint !== undefined) complaints.push(complaint)
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, check))
  return complaints
}
