import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { lockFolder } from '../../../src/store/files/folder-lock.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { ServerProcess, type Settings } from '../../rigs/program/server-process.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import {
  LIMITED,
  limitViolations,
  makeLimitedLinks,
  openingsOf,
  visitLimitedLinks,
} from '../driver/limited-links.ts'
import { invariantViolations } from '../driver/invariant-violations.ts'
import { RecordedLoad } from '../driver/recorded-load.ts'
import type { Access, Records } from '../driver/recording-client.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
/** Printed with the result. The same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(90_000 + ROUNDS * 20_000)

const VISITORS = 12
const CODES = Array.from({ length: 50 }, (_, i) => `code-${i}`)
/** Toggled during the run. */
const SWITCHES = CODES.slice(0, 4)
/** Renamed during the run. */
const TITLED = CODES.slice(4, 6)
/** Their `click_count` is read all the time. */
const CLICKED = CODES.slice(6, 16)
/** One in this many servers is killed before it responds. */
const KILLED_EARLY = 4
/** The settings of the rounds, in turn. */
const SETTINGS: Settings[] = [{ JOURNAL_SEGMENT_BYTES: '64KiB' }, { JOURNAL_SYNC: 'disk' }, {}]

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.kill()
  folders.remove()
})

/** Starts a server under load and kills it, while it starts or within about its first second. */
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
  const limited = visitLimitedLinks(folder.port, random)
  const accounts: [Access, Access] = [accessOf(folder, 'mine'), accessOf(rivals, 'rivals')]
  const clients = new RecordedLoad({ accounts, switches: SWITCHES, titled: TITLED, clicked: CLICKED, random })
  for (let round = 0; round < ROUNDS; round++) await killSomewhen(folder, round, random)
  server = await ServerProcess.start(folder.settings)
  await Bun.sleep(500)
  const [tally, records, limitedTally] = await Promise.all([visitors.stop(), clients.stop(), limited.stop()])
  await eventually(
    () => folder.clickCounts(CODES),
    (counts) => sumOf(counts) >= sumOf(tally.acknowledged),
  )
  expect((await server.stop()).exitCode).toBe(0)

  server = await ServerProcess.start(folder.settings)
  await clients.lookAtEverything()
  const counted = await expectEachClickOnce(folder, tally)
  const limitedCounts = await folder.clickCounts(LIMITED)
  expect([...invariantViolations(records), ...records.odd, records.unavailable]).toEqual([0])
  await expectOneLinkForEachKey(folder, records)
  await expectRequestsCounted(rivals, records)
  expect((await server.stop()).exitCode).toBe(0)
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  const openings = { tally: limitedTally, counted: limitedCounts, opened: await openingsOf(folder) }
  expect(limitViolations({ ...openings, lostMax: ROUNDS })).toEqual([])
  expect([...limitedTally.statuses.keys()].filter((status) => status !== 410)).toEqual([])
  lockFolder(folder.settings.DATA_DIR).release()
  console.log(
    `${ROUNDS} rounds of kill -9 (seed ${SEED}): sent ${sumOf(tally.sent)}, acknowledged ` +
      `${sumOf(tally.acknowledged)}, counted ${counted}; ` +
      `openings spent ${sumOf(openings.opened)}, counted ${sumOf(limitedCounts)}; ${JSON.stringify(recordedNumbers(records))}`,
  )
})

const accessOf = ({ port, key }: OperatedFolder, account: string): Access => ({ port, key, account })

async function makeLinks(folder: OperatedFolder): Promise<void> {
  server = await ServerProcess.start(folder.settings)
  await folder.makeLinks(CODES)
  await makeLimitedLinks(folder)
  await server.kill()
}

/** Checks acknowledged ≤ counted ≤ sent for every code. Returns the total counted. */
async function expectEachClickOnce(folder: OperatedFolder, tally: LoadTally): Promise<number> {
  expect([...tally.statuses.keys()].filter((status) => status !== 404)).toEqual([])
  const counts = await folder.clickCounts(CODES)
  for (const [code, counted] of counts) {
    expect(counted).toBeGreaterThanOrEqual(tally.acknowledged.get(code) ?? 0)
    expect(counted).toBeLessThanOrEqual(tally.sent.get(code) ?? 0)
  }
  return sumOf(counts)
}

/** By now each key has been answered, so each has exactly one link. */
async function expectOneLinkForEachKey({ api }: OperatedFolder, { repeats }: Records): Promise<void> {
  for (const key of repeats.operations.keys()) {
    const { body } = await api('GET', `/api/links?search=${key}`)
    expect([key, JSON.parse(body).meta.total]).toEqual([key, 1])
  }
}

/** Only the clients use this key, and all within one hour. */
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
