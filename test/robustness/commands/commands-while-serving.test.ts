import { expect, test } from 'bun:test'
import { blockHost, unblockHost } from '../../../src/links/destinations/block-host.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { becomes } from '../../rigs/eventually.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'
import { killNode } from '../driver/faults.ts'
import { Tern } from '../driver/tern.ts'

const HOST = 'go.example'

test('a running server serves a domain from the moment a command adds it until one removes it', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks('first')
  const first = [302, 'https://example.com/first']
  expect(await open(tern, 'first', HOST)).toEqual(first)

  await run(tern, 'domain', 'add', HOST)
  await becomes(async () => (await open(tern, 'first', HOST))[0], 404)
  expect(await open(tern, 'first')).toEqual(first)
  const link = { original_url: 'https://example.com/there', custom_code: 'there', domain: HOST }
  await becomes(async () => (await tern.api('POST', '/api/links', link)).status, 201)
  const there = [302, 'https://example.com/there']
  expect(await open(tern, 'there', HOST)).toEqual(there)

  await run(tern, 'domain', 'remove', HOST)
  await becomes(async () => (await open(tern, 'there', HOST))[0], 404)
  // What was printed with the host does not lead to a link of somebody else.
  expect((await open(tern, 'first', HOST))[0]).toBe(404)
  expect(await open(tern, 'first')).toEqual(first)

  // The links come back with the domain, also to a server that was killed.
  await killNode(tern)
  await run(tern, 'domain', 'add', HOST)
  await tern.start()
  expect(await open(tern, 'there', HOST)).toEqual(there)
})

test('a running server follows a suspension, a blocked host, and their end', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks('first')
  const status = async () => (await open(tern, 'first'))[0]
  const api = async () => (await tern.api('GET', '/api/links')).status
  expect([await status(), await api()]).toEqual([302, 200])
  const id = String(tern.operator.workspaceId)

  await run(tern, 'workspace', 'suspend', id)
  await becomes(status, 410)
  expect(await api()).toBe(403)
  await run(tern, 'workspace', 'reinstate', id)
  await becomes(status, 302)
  expect(await api()).toBe(200)

  // As another process: the server learns only what the store says.
  const store = await openStore({ dataDir: tern.dataDir }, 'same-thread')
  const deps = { db: store.db, clock: systemClock, redirectState: { changed: async () => {} } }
  await blockHost(deps, { host: 'example.com', reason: '' })
  await becomes(status, 410)
  await unblockHost(deps, 'example.com')
  await store.close()
  await becomes(status, 302)
})

async function run(tern: Tern, ...words: string[]): Promise<void> {
  expect(await tern.run(words)).toMatchObject({ exitCode: 0, complaints: '' })
}

async function open({ operator }: Tern, code: string, host = 'localhost') {
  const url = `http://127.0.0.1:${operator.port}/${code}`
  const { status, headers } = await documentedFetch(url, { headers: { Host: host } })
  return [status, headers.get('location')]
}
