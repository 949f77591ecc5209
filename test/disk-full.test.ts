import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ClickLoad, seededRandom, sumOf } from './rigs/click-load.ts'
import { type OperatedFolder, operateFolder } from './rigs/operated-folder.ts'
import { ServerProcess } from './rigs/server-process.ts'
import { eventually } from './rigs/service-rig.ts'
import { mountSmallDisk } from './rigs/small-disk.ts'
import { contradictions } from './rigs/store-agreement.ts'
import { skipBecause } from './skips.ts'

setDefaultTimeout(60_000)

const CODES = ['first', 'second', 'third']
const ENVELOPE = { success: false, message: expect.stringMatching(/^[A-Z].*\.$/), errors: {} }

const disk = mountSmallDisk(8)
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.kill()
  disk?.unmount()
})

const isSkipped = disk === undefined && skipBecause('a full disk', 'run the tests as root')

test.skipIf(isSkipped)(
  'on a full disk nobody is redirected uncounted, nothing breaks, and all goes on when there is room',
  async () => {
    const folder = await operateFolder(join(disk!.folder, 'data'))
    server = await ServerProcess.start(folder.settings)
    await folder.makeLinks(CODES)
    const load = new ClickLoad({ port: folder.port, clients: 4, codes: CODES, random: seededRandom(1) })
    const { acknowledged, statuses } = load.tally
    await eventually(
      async () => sumOf(acknowledged),
      (count) => count >= 200,
    )

    disk!.fill()
    await eventually(
      async () => statuses.get(503) ?? 0,
      (count) => count >= 200,
    )
    await expectRefusals(folder)

    disk!.free()
    await expectRecovery(folder)
    const tally = await load.stop()
    expect([...tally.statuses.keys()]).toEqual([503])
    expect(tally.cut).toEqual({ before: 0, within: 0 })
    await eventually(
      () => folder.clickCounts(CODES),
      (counts) => sumOf(counts) >= sumOf(tally.acknowledged),
    )
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })

    server = await ServerProcess.start(folder.settings)
    for (const [code, counted] of await folder.clickCounts(CODES)) {
      expect(counted).toBeGreaterThanOrEqual(tally.acknowledged.get(code)!)
      expect(counted).toBeLessThanOrEqual(tally.sent.get(code)!)
    }
    await server.stop()
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  },
)

async function expectRefusals({ api }: OperatedFolder): Promise<void> {
  const redirect = await api('GET', '/first')
  expect([redirect.status, redirect.headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(redirect.body)).toEqual(ENVELOPE)
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
  const redirect = await eventually(
    () => api('GET', '/first'),
    ({ status }) => status === 302,
  )
  expect(redirect.status).toBe(302)
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
