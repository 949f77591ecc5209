import { expect, test } from 'bun:test'
import { becomes, eventually, until } from '../../rigs/eventually.ts'
import { sumOf } from '../../rigs/program/click-load.ts'
import { fullDisk } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { type Load, startLoad } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

const ENVELOPE = {
  success: false,
  code: 'store_unavailable',
  message: expect.stringMatching(/^[A-Z].*\.$/),
  errors: {},
}
/** Room for the database's log, which grows to 32 MB before it is moved into the database. */
const DISK_MEGABYTES = 96
const TIMES_FULL = 2

test.skipIf(lacks('a full disk', 'small disks'))(
  'on a full disk nobody is redirected without being counted, no write is partial, and everything recovers when there is room',
  async () => {
    await using tern = await Tern.start({ diskMegabytes: DISK_MEGABYTES })
    await tern.makeLinks('probe')
    const load = await startLoad(tern)
    await load.continues(200)
    for (let time = 0; time < TIMES_FULL; time++) {
      const free = await fullDisk(tern)
      await expectRefusals(tern, load)
      await free()
      await until(async () => (await tern.api('POST', '/api/links', LINK)).status === 201)
      await becomes(() => tern.health(), 'ok')
      await load.continues(200)
    }
    await load.stop()
    expect([...load.tally.statuses.keys()]).toEqual([503])
    expect(load.clients!.records.unavailable).toBeGreaterThan(0)
    await expectInvariants(tern, { refusals: [503] })
  },
)

const LINK = { original_url: 'https://example.com' }

async function expectRefusals(tern: Tern, load: Load): Promise<void> {
  const refusals = () => sumOf(load.tally.statuses)
  const enough = refusals() + 200
  await until(() => refusals() >= enough)
  // A click still fits where something was removed a moment ago. The link is not one of the load's, whose clicks are compared.
  const redirect = await eventually(
    () => tern.api('GET', '/probe'),
    ({ status }) => status === 503,
  )
  expect([redirect.status, redirect.headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(redirect.body)).toEqual({ ...ENVELOPE, code: 'clicks_unavailable' })
  await becomes(() => tern.health(), 'degraded')
  // The first ones may still find room in files that are there already.
  const links = Array.from({ length: 50 }, () => ({
    original_url: `https://example.com/${'x'.repeat(4000)}`,
  }))
  const refused = await eventually(
    () => tern.api('POST', '/api/bulk-shorten', { links }),
    ({ status }) => status !== 201,
  )
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse(refused.body)).toEqual(ENVELOPE)
}
