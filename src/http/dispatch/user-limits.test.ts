import { describe, expect, test } from 'bun:test'
import { manualClock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { UserLimits } from './user-limits.ts'

const STRANGERS = ['203.0.113.7', '2001:db8:aaaa::1', '2a00:1450:4001::1']

test('an attempt that could not be made, because the server is busy, is no wrong one', async () => {
  const { limits } = limitsOf()
  const sent = { ip: STRANGERS[0]!, owner: 'ann@example.com' }
  const busy = () => Promise.reject(new Refusal('server_busy', 'Busy.'))
  for (let i = 0; i < 100; i++)
    expect(await limits.guess(sent, busy).catch(({ kind }) => kind)).toBe('unavailable')
  expect(await countAllowed(20, () => limits.guess(sent, async () => false, Boolean))).toBe(5)
})

describe('somebody with a /48 to ask from', () => {
  test('shows no more secrets than sixteen addresses, and strangers sign in and up', async () => {
    const { limits, refusals } = limitsOf()
    expect(await countAllowed(65_536, (i) => limits.secret(fromAttacker(i)))).toBe(16 * 30)
    expect(refusals()).toBe(65_536 - 16 * 30)
    for (const ip of STRANGERS) expect(await countAllowed(30, () => limits.secret(ip))).toBe(30)
  })

  test('has no more mails sent than sixteen addresses, and strangers get theirs', async () => {
    const { limits } = limitsOf()
    const fromBad = (i: number) => limits.mailsFrom(fromAttacker(i))(`victim${i}@example.com`)
    expect(await countAllowed(65_536, fromBad)).toBe(16 * 30)
    for (const ip of STRANGERS) {
      const ask = (i: number) => limits.mailsFrom(ip)(`stranger${i}-${ip.replaceAll(':', '-')}@example.com`)
      expect(await countAllowed(30, ask)).toBe(30)
    }
  })

  test('guesses at one account no more than sixteen addresses may, and its owner is not slowed down', async () => {
    const { limits } = limitsOf()
    const guess = (ip: string) => limits.guess({ ip, owner: 'ann@example.com' }, async () => false, Boolean)
    expect(await countAllowed(300, (i) => guess(fromAttacker(i)))).toBe(16 * 5)
    for (const ip of STRANGERS) expect(await countAllowed(5, () => guess(ip))).toBe(5)
  })

  test('asks no more of the dashboard than sixteen, and strangers use it', async () => {
    const { limits } = limitsOf()
    expect(await countAllowed(65_536, (i) => limits.request(fromAttacker(i)))).toBe(16_000)
    for (const ip of STRANGERS) expect(await countAllowed(1_000, () => limits.request(ip))).toBe(1_000)
  })
})

const hex = (number: number) => number.toString(16)
/** One of the 65,536 networks that somebody with a /48 has; neighbors are in different /56s. */
const fromAttacker = (i: number) => `2001:db8:bad:${hex((i * 257) % 65_536)}::1`

function limitsOf() {
  let refusals = 0
  const limits = new UserLimits(manualClock(0), { add: () => refusals++ })
  return { limits, refusals: () => refusals }
}

/** How many of these requests are allowed. */
async function countAllowed(count: number, ask: (i: number) => void | Promise<unknown>): Promise<number> {
  let allowed = 0
  for (let i = 0; i < count; i++) {
    try {
      await ask(i)
      allowed++
    } catch (error) {
      expect((error as Refusal).kind).toBe('too-many')
    }
  }
  return allowed
}
