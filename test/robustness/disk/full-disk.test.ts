import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { invariantViolations } from '../driver/invariant-violations.ts'
import { RecordedLoad } from '../driver/recorded-load.ts'
import type { Access } from '../driver/recording-client.ts'
import { ClickLoad, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(60_000)

const CODES = ['first', 'second', 'third']
const [SWITCHES, TITLED] = [['switch'], ['titled']]
const ENVELOPE = {
  success: false,
  code: 'store_unavailable',
  message: expect.stringMatching(/^[A-Z].*\.$/),
  errors: {},
}
/** Room for the database's log, which grows to 32 MB before it is moved into the database. */
const DISK_MEGABYTES = 96
const TIMES_FULL = 2

const disk = mountSmallDisk(DISK_MEGABYTES)
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.kill()
  disk?.unmount()
})

const isSkipped = disk === undefined && skipBecause('a full disk', 'run the tests as root')

test.skipIf(isSkipped)(
  'on a full disk nobody is redirected without being counted, no write is partial, and everything recovers when there is room',
  async () => {
    const folder = await operateFolder(join(disk!.folder, 'data'))
    const rivals = await asAnother(folder, 'rivals@example.com')
    server = await ServerProcess.start(folder.settings)
    await folder.makeLinks([...CODES, ...SWITCHES, ...TITLED])
    const random = seededRandom(1)
    const visitors = new ClickLoad({ port: folder.port, clients: 4, codes: CODES, random })
    const accounts: [Access, Access] = [accessOf(folder, 'mine'), accessOf(rivals, 'rivals')]
    const clients = new RecordedLoad({ accounts, switches: SWITCHES, titled: TITLED, clicked: CODES, random })
    await expectRedirects(visitors)
    for (let time = 0; time < TIMES_FULL; time++) {
      disk!.fill()
      await expectRefusals(folder, visitors)
      disk!.free()
      await expectRecovery(folder)
      await expectRedirects(visitors)
    }
    const [tally, records] = await Promise.all([visitors.stop(), clients.stop()])
    expect([...tally.statuses.keys()]).toEqual([503])
    expect(tally.cut).toEqual({ before: 0, within: 0 })
    expect(records.unavailable).toBeGreaterThan(0)
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })

    // No crash and no disconnect: what was acknowledged is what is counted.
    server = await ServerProcess.start(folder.settings)
    expect(await folder.clickCounts(CODES)).toEqual(tally.acknowledged)
    expect([...invariantViolations(records), ...records.odd]).toEqual([])
    await server.stop()
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  },
)

const accessOf = ({ port, key }: OperatedFolder, account: string): Access => ({ port, key, account })

/** Some more than there have been. */
async function expectRedirects({ tally: { acknowledged } }: ClickLoad): Promise<void> {
  const enough = sumOf(acknowledged) + 200
  expect(
    await eventually(
      async () => sumOf(acknowledged),
      (count) => count >= enough,
    ),
  ).toBeGreaterThanOrEqual(enough)
}

async function expectRefusals({ api }: OperatedFolder, { tally: { statuses } }: ClickLoad): Promise<void> {
  const enough = (statuses.get(503) ?? 0) + 200
  await eventually(
    async () => statuses.get(503) ?? 0,
    (count) => count >= enough,
  )
  // A click still fits where something was removed a moment ago.
  const redirect = await eventually(
    () => api('GET', '/first'),
    ({ status }) => status === 503,
  )
  expect([redirect.status, redirect.headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(redirect.body)).toEqual({ ...ENVELOPE, code: 'clicks_unavailable' })
  const readHealth = () => api('GET', '/api/health')
  const health = await eventually(readHealth, ({ body }) => JSON.parse(body).status === 'degraded')
  expect([health.status, JSON.parse(health.body).status]).toEqual([200, 'degraded'])
  // The first ones may still find room in files that are there already.
  const links = Array.from({ length: 50 }, () => ({
    original_url: `https://example.com/${'x'.repeat(4000)}`,
  }))
  const makeLinks = () => api('POST', '/api/bulk-shorten', { links })
  const refused = await eventually(makeLinks, ({ status }) => status !== 201)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse(refused.body)).toEqual(ENVELOPE)
}

async function expectRecovery({ api }: OperatedFolder): Promise<void> {
  const made = await eventually(
    () => api('POST', '/api/links', { original_url: 'https://example.com' }),
    ({ status }) => status === 201,
  )
  expect(made.status).toBe(201)
  const isWell = await eventually(
    async () => JSON.parse((await api('GET', '/api/health')).body).status,
    (status) => status === 'ok',
  )
  expect(isWell).toBe('ok')
}
