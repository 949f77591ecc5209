import { expect, test } from 'bun:test'
import { DAY_US, HOUR_US } from '../../../src/runtime/clock.ts'
import { becomes } from '../../rigs/eventually.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { startVisits } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

/** Where the wall clock stands, off the right time: over the ends of hours and days, and where no salt has been made. */
const JUMPS_US = [DAY_US, 0, -DAY_US, HOUR_US, -3 * DAY_US, 40 * DAY_US, 0]

test('when the clock jumps under load, each click counts once and the limit of a key still holds', async () => {
  await using tern = await Tern.start({ machine: {} })
  const load = await startVisits(tern)
  for (const [i, jumpUs] of JUMPS_US.entries()) {
    tern.machine.setClock(jumpUs)
    const made = await tern.api('POST', '/api/links', { original_url: `https://example.com/${i}` })
    expect(made.status).toBe(201)
    const nowUs = Date.now() * 1000 + jumpUs
    expect(Math.abs(Date.parse(JSON.parse(made.body).data.created_at) * 1000 - nowUs)).toBeLessThan(HOUR_US)
    const resetUs = Number(made.headers['x-ratelimit-reset']) * 1e6
    expect(Math.abs(resetUs - nowUs - HOUR_US / 2)).toBeLessThanOrEqual(HOUR_US)
    await load.continues(200)
  }
  await expectInvariants(tern)
})

test.skipIf(lacks('a node whose clock jumps', 'postgresql'))(
  'a jump on one of two nodes changes no count, and changes still reach both',
  async () => {
    await using tern = await Tern.start({ nodes: 2, postgres: {}, machine: {} })
    await tern.makeLinks('switched')
    const loads = [
      await startVisits(tern, { visitors: 2 }),
      await startVisits(tern, { visitors: 2, node: 1 }),
    ]
    for (const [i, jumpUs] of JUMPS_US.entries()) {
      tern.machine.setClock(jumpUs)
      expect((await tern.ask(1, 'POST', '/api/links/switched/toggle')).status).toBe(200)
      for (const node of [0, 1])
        await becomes(async () => (await tern.ask(node, 'HEAD', '/switched')).status, i % 2 === 1 ? 302 : 404)
      for (const load of loads) await load.continues()
    }
    await expectInvariants(tern)
  },
)
