import { beforeEach, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { useAccountRig } from '../../../test/rigs/service/account-rig.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import { dropTokens, forgetTokens } from '../tokens/single-use-token.ts'
import { useSecondFactor } from './two-factor.ts'

const STEP_US = 30_000_000
const SECRET = new Secret({ size: 20 }).base32
const rig = useAccountRig()
let userId: number
let clock: ReturnType<typeof manualClock>

beforeEach(async () => {
  userId = (await rig.makeAccount({ isVerified: true })).userId
  await rig.db.updateTable('users').set({ totp_secret: SECRET, totp_enabled_at: 1 }).execute()
  clock = manualClock(Date.UTC(2026, 3, 20) * 1000)
})

test('a code is taken once, and none that is older than the last one', async () => {
  const [before, now, next] = [codeOf(-1), codeOf(), codeOf(1)]
  expect([await take(now), await take(now), await take(before), await take(next)]).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('of the same code many times at once, one is taken', async () => {
  const code = codeOf()
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(code)))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('after the clock ran ahead by a day and came back, codes are taken again, and no used one', async () => {
  const [used, usedAhead] = [codeOf(), codeOf(0, clock.nowUs() + DAY_US)]
  expect(await take(used)).toBe(true)
  clock.advance(DAY_US)
  expect(await take(usedAhead)).toBe(true)
  await forgetTokens(rig.relaxedDb, clock.nowUs())
  clock.advance(-DAY_US)
  expect(await take(used)).toBe(false)
  clock.advance(STEP_US)
  expect([await take(codeOf()), await take(codeOf()), await take(used)]).toEqual([true, false, false])
  clock.advance(DAY_US - STEP_US)
  // Its time has come for the second time.
  expect(codeOf()).toBe(usedAhead)
  expect(await take(usedAhead)).toBe(false)
  clock.advance(STEP_US)
  expect(await take(codeOf())).toBe(true)
})

test('what ends the mailed links of an account makes no used code good again', async () => {
  const [used, ahead] = [codeOf(), codeOf(0, clock.nowUs() + DAY_US)]
  await take(used)
  clock.advance(DAY_US)
  await take(ahead)
  clock.advance(-DAY_US)
  await dropTokens(rig.db, userId)
  expect(await take(used)).toBe(false)
})

/** The code of a later step than the clock's. */
const codeOf = (steps = 0, nowUs = clock.nowUs()) =>
  new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: nowUs / 1000 + steps * 30_000 })

const take = (code: string) => useSecondFactor({ db: rig.db, clock }, userId, code)
