import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { lockFolder } from '../../../src/store/files/folder-lock.ts'
import { changedCheckout } from '../../rigs/program/changed-checkout.ts'
import { eventually } from '../../rigs/eventually.ts'
import { readSegments } from '../../rigs/clicks/journal-rig.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

const EXIT_BUG = 70
const API_BUG = {
  path: 'src/http/api-server/api-thread.ts',
  of: 'ip, peer } = asked\n',
  instead:
    "ip, peer } = asked\n  if (target === '/api/bug') setImmediate(() => { throw new Error('Ours.') })\n",
}
const REPORT_BUG = {
  path: 'src/store/sqlite/report-thread.ts',
  of: "  try {\n    return { kind: 'rows', id, rows",
  instead: "  setImmediate(() => { throw new Error('Ours.') })\n  try {\n    return { kind: 'rows', id, rows",
}
const BACKGROUND_BUG = {
  path: 'src/background/background-thread.ts',
  of: '  await reader.noteProgress(message.progress)\n',
  instead: "  throw new Error('Ours.')\n",
}
const BUG_AT_START = {
  path: 'src/background/background-thread.ts',
  of: '  reader = readerOf(config.dataDir)',
  instead: "  if (boot !== '') throw new Error('Ours.')\n  reader = readerOf(config.dataDir)",
}

setDefaultTimeout(60_000)

const folders = temporaryFolders()
const servers: ServerProcess[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  folders.remove()
})

async function start({ settings }: OperatedFolder, root?: string): Promise<ServerProcess> {
  const server = new ServerProcess(settings, root === undefined ? {} : { root })
  servers.push(server)
  await server.ready
  return server
}

async function expectOrderlyEndByBug(folder: OperatedFolder, server: ServerProcess): Promise<void> {
  const { exitCode, complaints, output } = await server.ended
  expect(exitCode).toBe(EXIT_BUG)
  expect(complaints).toContain('thread failed')
  expect(complaints).toContain('Ours.')
  expect(output).toContain('A thread failed; the server is stopping.')
  const segments = readSegments(join(folder.settings.DATA_DIR, 'journal'))
  for (const { clicks, sealedClicks } of segments) expect(sealedClicks).toBe(clicks.length)
}

async function expectCounted(folder: OperatedFolder, clicks: number): Promise<void> {
  await start(folder)
  const readCount = async () => (await folder.clickCounts(['code'])).get('code')!
  expect(await eventually(readCount, (count) => count >= clicks)).toBe(clicks)
}

test.each([
  ['API', API_BUG, '/api/bug'],
  ['report', REPORT_BUG, '/api/health'],
])(
  'when the %s thread dies, its callers get a response, and the program exits with every click safe',
  async (_, bug, path) => {
    const folder = await operateFolder(folders.make())
    const server = await start(folder, changedCheckout(folders.make(), bug))
    await folder.makeLinks(['code'])
    for (let click = 0; click < 3; click++) expect((await folder.api('GET', '/code')).status).toBe(302)
    const client = new KeepAliveClient(folder.port)
    const answer = await client.request({ method: 'GET', path })
    client.close()
    // The thread may still send its own response.
    if (typeof answer === 'string' || ![200, 401].includes(answer.status)) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'content-type': 'application/json; charset=utf-8' },
        body: '{"success":false,"code":"api_unavailable","message":"The server is restarting. Try again in a few seconds.","errors":{}}',
      })
    }
    await expectOrderlyEndByBug(folder, server)
    await expectCounted(folder, 3)
  },
)

test('when the background thread dies, the program exits with every click safe', async () => {
  const folder = await operateFolder(folders.make())
  const server = await start(folder, changedCheckout(folders.make(), BACKGROUND_BUG))
  await folder.makeLinks(['code'])
  expect((await folder.api('GET', '/code')).status).toBe(302)
  await expectOrderlyEndByBug(folder, server)
  await expectCounted(folder, 1)
})

test('when a thread cannot start, the program exits at once and releases the folder', async () => {
  const folder = await operateFolder(folders.make())
  const server = new ServerProcess(folder.settings, { root: changedCheckout(folders.make(), BUG_AT_START) })
  const { exitCode, complaints } = await server.ended
  expect(exitCode).toBe(EXIT_BUG)
  expect(complaints).toContain('The background thread failed')
  lockFolder(folder.settings.DATA_DIR).release()
})
