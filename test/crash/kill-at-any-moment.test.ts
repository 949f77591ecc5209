import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { lockFolder } from '../../src/store/folder-lock.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../rigs/click-load.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../rigs/operated-folder.ts'
import { ServerProcess, type Settings } from '../rigs/server-process.ts'
import { eventually } from '../rigs/service-rig.ts'
import { contradictions } from '../rigs/store-agreement.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { WriteLoad, type WriteTally } from '../rigs/write-load.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
/** Printed with the result: the same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(60_000 + ROUNDS * 20_000)

const VISITORS = 12
const CODES = Array.from({ length: 50 }, (_, i) => `code-${i}`)
/** The first ones are turned off and on meanwhile. */
const TOGGLED = CODES.slice(0, 4)
/** One in so many servers is killed before it answers. */
const KILLED_EARLY = 4
/** What a round is run with, in turn. */
const SETTINGS: Settings[] = [{ JOURNAL_SEGMENT_BYTES: '64KiB' }, { JOURNAL_SYNC: 'disk' }, {}]

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.kill()
  folders.remove()
})

/** A server is started under load and killed, while it starts or within the first second or so of its work. */
async function killSomewhen({ settings }: OperatedFolder, round: number, random: () => number) {
  server = new ServerProcess({ ...settings, ...SETTINGS[round % SETTINGS.length] })
  if (random() < 1 / KILLED_EARLY) {
    await Bun.sleep(random() * 700)
  } else {
    await server.ready
    await Bun.sleep(100 + random() * 1200)
  }
  await server.kill()
}

test(`no click and no link is lost or counted twice in ${ROUNDS} rounds of kill -9 at any moment`, async () => {
  const random = seededRandom(SEED)
  const folder = await operateFolder(folders.make())
  const rivalFolder = await asAnother(folder, 'rival@example.com')
  await makeLinks(folder)
  const clicks = new ClickLoad({ port: folder.port, clients: VISITORS, codes: CODES, random })
  const writers = [
    new WriteLoad({ port: folder.port, key: folder.key, name: 'mine', toggled: TOGGLED, random }),
    new WriteLoad({ port: folder.port, key: rivalFolder.key, name: 'rivals', toggled: [], random }),
  ]
  for (let round = 0; round < ROUNDS; round++) await killSomewhen(folder, round, random)
  server = await ServerProcess.start(folder.settings)
  await Bun.sleep(500)
  const tally = await clicks.stop()
  const [mine, rivals] = await Promise.all(writers.map((writer) => writer.stop()))
  await eventually(
    () => folder.clickCounts(CODES),
    (counts) => sumOf(counts) >= sumOf(tally.acknowledged),
  )
  expect((await server.stop()).exitCode).toBe(0)

  server = await ServerProcess.start(folder.settings)
  const counted = await expectEachClickOnce(folder, tally)
  await expectWritesKept(folder, mine!)
  await expectWritesKept(rivalFolder, rivals!)
  expect([...mine!.won.intersection(rivals!.won)]).toEqual([])
  expect((await server.stop()).exitCode).toBe(0)
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  lockFolder(folder.settings.DATA_DIR).release()
  console.log(
    `${ROUNDS} rounds of kill -9 (seed ${SEED}): sent ${sumOf(tally.sent)}, acknowledged ` +
      `${sumOf(tally.acknowledged)}, counted ${counted}; writes acknowledged ${mine!.acknowledged + rivals!.acknowledged}`,
  )
})

async function makeLinks(folder: OperatedFolder): Promise<void> {
  server = await ServerProcess.start(folder.settings)
  await folder.makeLinks(CODES)
  await server.kill()
}

/** The whole of it: acknowledged ≤ counted ≤ sent, for every code. Gives what was counted in all. */
async function expectEachClickOnce(folder: OperatedFolder, tally: LoadTally): Promise<number> {
  expect([...tally.statuses.keys()].filter((status) => status !== 404)).toEqual([])
  const counts = await folder.clickCounts(CODES)
  for (const [code, counted] of counts) {
    expect(counted).toBeGreaterThanOrEqual(tally.acknowledged.get(code) ?? 0)
    expect(counted).toBeLessThanOrEqual(tally.sent.get(code) ?? 0)
  }
  return sumOf(counts)
}

async function expectWritesKept(
  folder: OperatedFolder,
  { fates, isOn, won, odd }: WriteTally,
): Promise<void> {
  expect(odd).toEqual([])
  const read = async (code: string) => {
    const { status, body } = await folder.api('GET', `/api/links/${code}`)
    return { status, data: JSON.parse(body).data }
  }
  for (const [code, fate] of fates) {
    if (fate === 'present') expect([code, (await read(code)).status]).toEqual([code, 200])
    if (fate === 'gone') expect([code, (await read(code)).status]).toEqual([code, 404])
  }
  for (const code of won) expect([code, (await read(code)).status]).toEqual([code, 200])
  for (const [code, wasOn] of isOn) {
    if (wasOn !== undefined) expect([code, (await read(code)).data.is_active]).toEqual([code, wasOn])
  }
}
