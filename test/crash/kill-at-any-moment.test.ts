import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { lockFolder } from '../../src/store/folder-lock.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../rigs/click-load.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../rigs/operated-folder.ts'
import { ServerProcess, type Settings } from '../rigs/server-process.ts'
import { eventually } from '../rigs/service-rig.ts'
import { contradictions } from '../rigs/store-agreement.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { brokenPromises } from './broken-promises.ts'
import { RecordedLoad } from './recorded-load.ts'
import type { Access, Records } from './recording-client.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
/** Printed with the result: the same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(90_000 + ROUNDS * 20_000)

const VISITORS = 12
const CODES = Array.from({ length: 50 }, (_, i) => `code-${i}`)
/** Turned off and on meanwhile. */
const SWITCHES = CODES.slice(0, 4)
/** Given other titles meanwhile. */
const TITLED = CODES.slice(4, 6)
/** Whose `click_count` is read all the time. */
const CLICKED = CODES.slice(6, 16)
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

test(`every promise is kept in ${ROUNDS} rounds of kill -9 at any moment`, async () => {
  const random = seededRandom(SEED)
  const folder = await operateFolder(folders.make())
  const rivals = await asAnother(folder, 'rivals@example.com')
  await makeLinks(folder)
  const visitors = new ClickLoad({ port: folder.port, clients: VISITORS, codes: CODES, random })
  const accounts: [Access, Access] = [accessOf(folder, 'mine'), accessOf(rivals, 'rivals')]
  const clients = new RecordedLoad({
    ...{ accounts, switches: SWITCHES, titled: TITLED, clicked: CLICKED, random },
  })
  for (let round = 0; round < ROUNDS; round++) await killSomewhen(folder, round, random)
  server = await ServerProcess.start(folder.settings)
  await Bun.sleep(500)
  const [tally, records] = await Promise.all([visitors.stop(), clients.stop()])
  await eventually(
    () => folder.clickCounts(CODES),
    (counts) => sumOf(counts) >= sumOf(tally.acknowledged),
  )
  expect((await server.stop()).exitCode).toBe(0)

  server = await ServerProcess.start(folder.settings)
  await clients.lookAtEverything()
  const counted = await expectEachClickOnce(folder, tally)
  expect([...brokenPromises(records), ...records.odd, records.unavailable]).toEqual([0])
  await expectOneLinkForEachKey(folder, records)
  await expectRequestsCounted(rivals, records)
  expect((await server.stop()).exitCode).toBe(0)
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  lockFolder(folder.settings.DATA_DIR).release()
  console.log(
    `${ROUNDS} rounds of kill -9 (seed ${SEED}): sent ${sumOf(tally.sent)}, acknowledged ` +
      `${sumOf(tally.acknowledged)}, counted ${counted}; ${JSON.stringify(recordedNumbers(records))}`,
  )
})

const accessOf = ({ port, key }: OperatedFolder, account: string): Access => ({ port, key, account })

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

/** By now each key has been answered, so each has its link; of those that were made unheard none is left beside it. */
async function expectOneLinkForEachKey({ api }: OperatedFolder, { repeats }: Records): Promise<void> {
  for (const key of repeats.operations.keys()) {
    const { body } = await api('GET', `/api/links?search=${key}`)
    expect([key, JSON.parse(body).meta.total]).toEqual([key, 1])
  }
}

/** Nobody but the clients uses this key, and all of it was within an hour. */
async function expectRequestsCounted({ api }: OperatedFolder, { sent, answered }: Records): Promise<void> {
  const { body } = await api('GET', '/api/account/usage')
  const { requests } = JSON.parse(body).data.current_period
  const itself = 1
  expect(requests).toBeGreaterThanOrEqual(answered.get('rivals')! + itself)
  expect(requests).toBeLessThanOrEqual(sent.get('rivals')! + itself)
}

function recordedNumbers({ codes, switches, titles, clickCounts, repeats }: Records) {
  const numbersOf = ({ operations }: Pick<Records['codes'], 'operations'>) => {
    const all = [...operations.values()].flat()
    return { operations: all.length, unanswered: all.filter(({ answered }) => answered === undefined).length }
  }
  return Object.fromEntries(
    Object.entries({ codes, switches, titles, clickCounts, repeats }).map(([name, history]) => [
      name,
      numbersOf(history as Records['codes']),
    ]),
  )
}
