import { beforeEach, describe, expect, test } from 'bun:test'
import { addUser } from '../../test/rigs/service/add-user.ts'
import { DAY_US, dayOf, HOUR_US, manualClock } from '../runtime/clock.ts'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { listKeys } from './find-key.ts'
import { type HourlyUsage, RequestCounter } from './hourly-limit.ts'
import { issueKey } from './issue-key.ts'

/** A quarter of a second after a whole one. */
const START_US = Date.UTC(2026, 3, 20, 12, 0, 7) * 1000 + 250_000

const store = useTestStore()
let clock: ReturnType<typeof manualClock>
let account: Awaited<ReturnType<typeof addUser>>

beforeEach(async () => {
  clock = manualClock(START_US)
  account = await addUser({ db: store.db, clock }, { name: 'A', email: 'a@example.org' })
})

describe('the hour of a key', () => {
  test('begins on the whole second of its first request', async () => {
    const { ask } = await newKey()
    clock.advance(40 * SECOND_US)
    expect(await ask()).toEqual({ isAllowed: true, limit: 3, used: 1, resetAtUs: END_US + 40 * SECOND_US })
  })

  test('is not moved by later requests, and counts each', async () => {
    const { ask } = await newKey()
    for (const used of [1, 2, 3]) {
      expect(await ask()).toEqual({ isAllowed: true, limit: 3, used, resetAtUs: END_US })
      clock.advance(600 * SECOND_US)
    }
  })

  test('refuses what is over the limit, and neither counts nor extends for it', async () => {
    const { ask } = await newKey()
    for (let i = 0; i < 3; i++) await ask()
    for (let i = 0; i < 3; i++) {
      clock.advance(600 * SECOND_US)
      expect(await ask()).toEqual({ isAllowed: false, limit: 3, used: 3, resetAtUs: END_US })
    }
  })

  test('ends after 3600 seconds, not a moment before', async () => {
    const { ask, find } = await newKey(1)
    await ask()
    clock.advance(END_US - START_US - 1)
    expect(usedOf(await ask())).toEqual([false, 1])
    expect(await find()).toMatchObject({ currentUsage: 1, resetAtUs: END_US })
    clock.advance(1)
    expect(await find()).toMatchObject({ currentUsage: 0, resetAtUs: null })
    expect(await ask()).toEqual({ isAllowed: true, limit: 1, used: 1, resetAtUs: END_US + HOUR_US })
  })

  test('begins again with the next request, however late that is', async () => {
    const { ask } = await newKey()
    await ask()
    clock.advance(5 * DAY_US)
    expect(await ask()).toEqual({ isAllowed: true, limit: 3, used: 1, resetAtUs: END_US + 5 * DAY_US })
  })

  test('that began before the clock was set back ends an hour after that, and what was used stays used', async () => {
    const { ask } = await newKey(2)
    clock.advance(DAY_US)
    await ask()
    clock.advance(-DAY_US)
    expect(await ask()).toEqual({ isAllowed: true, limit: 2, used: 2, resetAtUs: END_US })
    expect(await ask()).toEqual({ isAllowed: false, limit: 2, used: 2, resetAtUs: END_US })
    clock.advance(END_US - START_US)
    expect(usedOf(await ask())).toEqual([true, 1])
  })

  test('that was used up before the clock was set back does not last forever', async () => {
    const { ask } = await newKey(1)
    clock.advance(DAY_US)
    await ask()
    clock.advance(-DAY_US)
    expect(await ask()).toEqual({ isAllowed: false, limit: 1, used: 1, resetAtUs: END_US })
    clock.advance(END_US - START_US)
    expect(usedOf(await ask())).toEqual([true, 1])
  })

  test('is its own: another key of the account has its own requests', async () => {
    const [first, second] = [await newKey(1), await newKey(1)]
    expect(usedOf(await first.ask())).toEqual([true, 1])
    expect(usedOf(await first.ask())).toEqual([false, 1])
    expect(usedOf(await second.ask())).toEqual([true, 1])
  })

  test('lets exactly as many through as are allowed when all come at once', async () => {
    const { ask } = await newKey(10)
    const verdicts = await Promise.all(Array.from({ length: 40 }, ask))
    expect(
      verdicts
        .filter(({ isAllowed }) => isAllowed)
        .map(({ used }) => used)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 10 }, (_, i) => i + 1))
  })

  test('is between requests that come at once, when some of the hour is used', async () => {
    const { ask, askAtOnce } = await newKey(10)
    for (let used = 1; used <= 5; used++) await ask()
    const verdicts = await askAtOnce(8)
    expect(verdicts.map(usedOf)).toEqual([
      ...[6, 7, 8, 9, 10].map((used): [boolean, number] => [true, used]),
      ...[10, 10, 10].map((used): [boolean, number] => [false, used]),
    ])
  })

  test('is each key’s own when requests with several keys are counted together', async () => {
    const counter = new RequestCounter({ db: store.relaxedDb, clock })
    const keys = await Promise.all([newKey(3), newKey(100), newKey(1)].map(async (key) => (await key).find()))
    const requests = Array.from({ length: 12 }, (_, at) => counter.count(keys[at % 3]!))
    const counted = await Promise.all(requests)
    await Promise.all(counted.map(({ stored }) => stored))
    const usages = counted.map(({ usage }) => usedOf(usage))
    expect([0, 1, 2].map((key) => usages.filter((_, at) => at % 3 === key))).toEqual([
      [
        [true, 1],
        [true, 2],
        [true, 3],
        [false, 3],
      ],
      [
        [true, 1],
        [true, 2],
        [true, 3],
        [true, 4],
      ],
      [
        [true, 1],
        [false, 1],
        [false, 1],
        [false, 1],
      ],
    ])
    const rows = await store.db.selectFrom('api_usage_days').select('requests').execute()
    expect(rows).toEqual([{ requests: 8 }])
  })

  test('has room again when the limit is raised, and none when it is lowered below what is used', async () => {
    const { ask, find } = await newKey(2)
    const setLimit = async (rate_limit: number) =>
      store.db
        .updateTable('api_keys')
        .set({ rate_limit })
        .where('id', '=', (await find()).id)
        .execute()
    for (const expected of [
      [true, 1],
      [true, 2],
      [false, 2],
    ])
      expect(usedOf(await ask())).toEqual(expected)
    await setLimit(3)
    expect(usedOf(await ask())).toEqual([true, 3])
    await setLimit(1)
    expect(await ask()).toEqual({ isAllowed: false, limit: 1, used: 3, resetAtUs: END_US })
  })
})

describe('what is written down', () => {
  test('is the allowed requests of the account by day, and when the key was last used', async () => {
    const { ask, find } = await newKey(2)
    for (let i = 0; i < 4; i++) await ask()
    clock.advance(DAY_US)
    await ask()
    const lastUs = clock.nowUs()
    const rows = await store.db.selectFrom('api_usage_days').selectAll().orderBy('day').execute()
    expect(rows).toEqual([
      { workspace_id: account.workspaceId, day: dayOf(START_US), requests: 2 },
      { workspace_id: account.workspaceId, day: dayOf(START_US) + 1, requests: 1 },
    ])
    expect((await find()).lastUsedAtUs).toBe(lastUs)
  })
})

const SECOND_US = 1_000_000
const END_US = START_US - 250_000 + HOUR_US

/** A key of three requests an hour, asked for each time, as a request does. */
async function newKey(rateLimit = 3) {
  const deps = { db: store.db, clock, baseUrl: 'https://s.example' }
  const { id } = await issueKey(deps, account, { name: 'Key', scopes: [], rateLimit })
  const find = async () =>
    (await listKeys({ db: store.db, clock }, account.workspaceId)).find((key) => key.id === id)!
  const counter = new RequestCounter({ db: store.relaxedDb, clock })
  return {
    find,
    async askAtOnce(requests: number): Promise<HourlyUsage[]> {
      const key = await find()
      const counted = await Promise.all(Array.from({ length: requests }, () => counter.count(key)))
      return counted.map(({ usage }) => usage)
    },
    async ask(): Promise<HourlyUsage> {
      const { usage, stored } = await counter.count(await find())
      await stored
      return usage
    },
  }
}

const usedOf = ({ isAllowed, used }: HourlyUsage) => [isAllowed, used]
