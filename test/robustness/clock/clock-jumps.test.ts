import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { DAY_US, HOUR_US } from '../../../src/runtime/clock.ts'
import { ClickLoad, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { machineWithClock } from '../../rigs/clicks/faulty-machine.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(60_000)

const CHECKOUT = join(import.meta.dir, '../../..')
const CODES = ['first', 'second', 'third']
/** Where the wall clock stands, off the right time: over the ends of hours and days, and where no salt has been made. */
const JUMPS_US = [DAY_US, 0, -DAY_US, HOUR_US, -3 * DAY_US, 40 * DAY_US, 0]

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  folders.remove()
})

test('when the clock jumps under load, each click counts once and the limit of a key still holds', async () => {
  const folder = await operateFolder(folders.make())
  const machine = machineWithClock(folders.make())
  server = new ServerProcess(folder.settings, { root: machine.root })
  await server.ready
  await folder.makeLinks(CODES)
  const load = new ClickLoad({ port: folder.port, clients: 4, codes: CODES, random: seededRandom(1) })
  for (const [i, jumpUs] of JUMPS_US.entries()) {
    machine.setOff(jumpUs)
    const before = sumOf(load.tally.acknowledged)
    const made = await folder.api('POST', '/api/links', { original_url: `https://example.com/${i}` })
    expect(made.status).toBe(201)
    const nowUs = Date.now() * 1000 + jumpUs
    expect(Math.abs(Date.parse(JSON.parse(made.body).data.created_at) * 1000 - nowUs)).toBeLessThan(HOUR_US)
    const resetUs = Number(made.headers['x-ratelimit-reset']) * 1e6
    expect(Math.abs(resetUs - nowUs - HOUR_US / 2)).toBeLessThanOrEqual(HOUR_US)
    await eventually(
      async () => sumOf(load.tally.acknowledged),
      (count) => count >= before + 200,
    )
  }
  const tally = await load.stop()
  expect([tally.statuses.size, tally.cut]).toEqual([0, { before: 0, within: 0 }])
  expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })

  // No crash and no disconnect: the three are equal.
  server = await ServerProcess.start(folder.settings)
  expect(await folder.clickCounts(CODES)).toEqual(new Map(CODES.map((code) => [code, tally.sent.get(code)!])))
  expect(tally.acknowledged).toEqual(tally.sent)
  await server.stop()
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
})

const isMissing =
  findPostgres() === undefined && skipBecause('a node whose clock jumps', 'apt-get install postgresql')

test.skipIf(isMissing)(
  'a jump on one of two nodes changes no count, and changes still reach both',
  async () => {
    await using closing = new AsyncDisposableStack()
    const machine = machineWithClock(folders.make())
    const postgres = closing.adopt(await PostgresServer.start(), (it) => it.remove())
    const databaseUrl = await postgres.makeDatabase()
    const nodes = closing.adopt(
      await Nodes.start(2, {
        databaseUrl,
        folder: () => folders.make(),
        root: (node) => (node === 1 ? machine.root : CHECKOUT),
      }),
      (it) => it.stop(),
    )
    const { operator } = nodes
    await operator.makeLinks([...CODES, 'switched'])
    const loads = nodes.nodes.map(
      ({ port }, i) => new ClickLoad({ port, clients: 2, codes: CODES, random: seededRandom(i) }),
    )
    for (const [i, jumpUs] of JUMPS_US.entries()) {
      machine.setOff(jumpUs)
      const isOpen = i % 2 === 1
      expect((await nodes.ask(1, 'POST', '/api/links/switched/toggle')).status).toBe(200)
      for (const node of [0, 1]) {
        const status = await eventually(
          async () => (await nodes.ask(node, 'HEAD', '/switched')).status,
          (found) => found === (isOpen ? 302 : 404),
        )
        expect([node, status]).toEqual([node, isOpen ? 302 : 404])
      }
      for (const load of loads) {
        const before = sumOf(load.tally.acknowledged)
        await eventually(
          async () => sumOf(load.tally.acknowledged),
          (count) => count >= before + 100,
        )
      }
    }
    const tallies = await Promise.all(loads.map((load) => load.stop()))
    const wanted = new Map(
      CODES.map((code) => [code, tallies.reduce((sum, { sent }) => sum + (sent.get(code) ?? 0), 0)]),
    )
    const counts = await eventually(
      () => operator.clickCounts(CODES),
      (found) => sumOf(found) >= sumOf(wanted),
    )
    expect(counts).toEqual(wanted)
    for (const { statuses, cut } of tallies)
      expect([statuses.size, cut]).toEqual([0, { before: 0, within: 0 }])
    expect((await runTern(['recount', '--check'], nodes.nodes[0]!.settings)).exitCode).toBe(0)
  },
)
