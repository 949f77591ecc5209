import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { ClickLoad, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { machineWithDisk } from '../../rigs/clicks/faulty-machine.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

setDefaultTimeout(60_000)

const CODES = ['first', 'second', 'third']
/** A disk that is worn out, or shared with too many. */
const WRITE_MS = 100

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  folders.remove()
})

test('while the journal’s disk hangs everything but redirects works; then every visitor is redirected and counted once', async () => {
  const folder = await operateFolder(folders.make())
  const machine = machineWithDisk(folders.make(), WRITE_MS)
  server = new ServerProcess(folder.settings, { root: machine.root })
  await server.ready
  await folder.makeLinks(CODES)
  const load = new ClickLoad({ port: folder.port, clients: 40, codes: CODES, random: seededRandom(1) })
  const { acknowledged } = load.tally
  await eventually(
    async () => sumOf(acknowledged),
    (count) => count >= 200,
  )

  machine.hang()
  await expectTheRestAnswered(folder)
  const answeredMeanwhile = sumOf(acknowledged)
  expect((await folder.api('GET', '/api/health')).status).toBe(200)
  expect(sumOf(acknowledged)).toBe(answeredMeanwhile)

  machine.letGo()
  const readStatus = async () => JSON.parse((await folder.api('GET', '/api/health')).body).status
  expect(await eventually(readStatus, (status) => status === 'ok')).toBe('ok')
  const tally = await load.stop()
  expect(tally.acknowledged).toEqual(tally.sent)
  expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })

  server = await ServerProcess.start(folder.settings)
  expect(await folder.clickCounts(CODES)).toEqual(tally.sent)
  await server.stop()
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
})

/** Requests that wait for the journal do not block those that do not need it. */
async function expectTheRestAnswered({ api }: OperatedFolder): Promise<void> {
  const readStatus = async () => JSON.parse((await api('GET', '/api/health')).body).status
  expect(await eventually(readStatus, (status) => status === 'degraded')).toBe('degraded')
  expect((await api('HEAD', '/first')).status).toBe(302)
  expect((await api('GET', '/unknown')).status).toBe(404)
  expect((await api('POST', '/api/links', { original_url: 'https://example.com/' })).status).toBe(201)
  expect((await api('GET', '/api/links')).status).toBe(200)
}
