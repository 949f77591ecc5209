import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { systemClock } from '../../../src/runtime/clock.ts'
import { blockHost, unblockHost } from '../../../src/links/destinations/block-host.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { DurableDb } from '../../../src/store/handles.ts'
import { eventually } from '../../rigs/eventually.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'

setDefaultTimeout(120_000)

const HOST = 'go.example'

const folders = temporaryFolders()
afterAll(folders.remove)
let folder: OperatedFolder
let server: ServerProcess
beforeEach(async () => {
  folder = await operateFolder(folders.make())
  server = await ServerProcess.start(folder.settings)
})
afterEach(async () => void (await server.kill()))

async function tern(...words: string[]): Promise<string> {
  const { exitCode, output, complaints } = await runTern(words, folder.settings)
  expect([exitCode, complaints]).toEqual([0, ''])
  return output
}

const visit = async (code: string, host: string) => {
  const url = `http://127.0.0.1:${folder.port}/${code}`
  const { status, headers } = await documentedFetch(url, { headers: { Host: host } })
  return [status, headers.get('location')]
}

/** Waits until the answer is this one. The last answer is compared, so that a failure shows it. */
const expectSoon = async (ask: () => Promise<unknown>, wanted: unknown) =>
  expect(await eventually(ask, (answer) => Bun.deepEquals(answer, wanted))).toEqual(wanted)

/** As another process: the server learns only what the store says. */
async function inStore(work: (db: DurableDb) => Promise<unknown>): Promise<void> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = folder.settings
  const store = await openStore({ dataDir, databaseUrl }, 'same-thread')
  await work(store.db)
  await store.close()
}

test('a running server serves a domain from the moment a command adds it until one removes it', async () => {
  await folder.makeLinks(['first'])
  const first = [302, 'https://example.com/first']
  expect(await visit('first', HOST)).toEqual(first)

  await tern('domain', 'add', HOST)
  await expectSoon(async () => (await visit('first', HOST))[0], 404)
  expect(await visit('first', 'localhost')).toEqual(first)
  const link = { original_url: 'https://example.com/there', custom_code: 'there', domain: HOST }
  await expectSoon(async () => (await folder.api('POST', '/api/links', link)).status, 201)
  const there = [302, 'https://example.com/there']
  expect(await visit('there', HOST)).toEqual(there)

  await tern('domain', 'remove', HOST)
  await expectSoon(async () => (await visit('there', HOST))[0], 404)
  // What was printed with the host does not lead to a link of somebody else.
  expect((await visit('first', HOST))[0]).toBe(404)
  expect(await visit('first', 'localhost')).toEqual(first)

  // The links come back with the domain, also to a server that was killed.
  await server.kill()
  await tern('domain', 'add', HOST)
  server = await ServerProcess.start(folder.settings)
  expect(await visit('there', HOST)).toEqual(there)
})

test('a running server follows a suspension, a blocked host, and their end', async () => {
  await folder.makeLinks(['first'])
  const status = async () => (await visit('first', 'localhost'))[0]
  const api = async () => (await folder.api('GET', '/api/links')).status
  expect([await status(), await api()]).toEqual([302, 200])
  const id = String(folder.workspaceId)

  await tern('workspace', 'suspend', id)
  await expectSoon(status, 410)
  expect(await api()).toBe(403)
  await tern('workspace', 'reinstate', id)
  await expectSoon(status, 302)
  expect(await api()).toBe(200)

  const deps = { clock: systemClock, redirectState: { changed: async () => {} } }
  await inStore((db) => blockHost({ db, ...deps }, { host: 'example.com', reason: '' }))
  await expectSoon(status, 410)
  await inStore((db) => unblockHost({ db, ...deps }, 'example.com'))
  await expectSoon(status, 302)
})
