import { afterEach, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_BLOCK } from '../rigs/program/broken-threads.data.ts'
import { changedCheckout } from '../rigs/program/changed-checkout.ts'
import { eventually, until } from '../rigs/eventually.ts'
import { readSegments } from '../rigs/clicks/journal-rig.ts'
import { type ClientAnswer, KeepAliveClient } from '../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../rigs/program/operated-folder.ts'
import { ServerProcess } from '../rigs/program/server-process.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'

const FULL = 'Too many requests are waiting at the moment. Try again in a few seconds.'
const BLOCKED = 'The server is not responding at the moment. Try again in a few seconds.'

const folders = temporaryFolders()
const servers: ServerProcess[] = []
const clients: KeepAliveClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) await server.kill()
  folders.remove()
})

test('while the API thread is blocked visitors are redirected, and everybody else gets 503', async () => {
  const { folder, server } = await startBlocked()
  const codes = Array.from({ length: WAITING_MEGABYTES + 3 }, (_, i) => `made-${i}`)
  const waiting = codes.map((code) => create(folder, code, 1))
  const openLimited = () => ask(folder, 'GET', '/limited')
  const waitingVisitor = openLimited()
  const answers = await Promise.all(waiting)
  // Requests beyond the limit are refused at once, all others once the thread counts as blocked.
  const { [FULL]: refused = 0, [IN_VAIN]: givenUp = 0, ...others } = messagesOf(answers)
  expect([refused + givenUp, others]).toEqual([codes.length, {}])
  expect(refused).toBeGreaterThanOrEqual(3)
  expect(givenUp).toBeGreaterThan(WAITING_MEGABYTES / 2)
  expect(messagesOf([await create(folder, 'late')])).toEqual({ [BLOCKED]: 1 })
  expect((await ask(folder, 'GET', '/code')).status).toBe(302)
  // This thread writes what visitors of limited links spend.
  for (const answer of [waitingVisitor, openLimited()])
    expect(await answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })

  writeFileSync(join(folder.settings.DATA_DIR, 'go-on'), '')
  let tooEarly = -1
  const health = () => (tooEarly++, ask(folder, 'GET', '/api/health'))
  expect((await eventually(health, ({ status }) => status === 200)).status).toBe(200)
  // Half a second after the last opening that was in vain.
  expect((await eventually(openLimited, ({ status }) => status !== 503)).status).toBe(302)
  // Otherwise a caller that retried would have two links.
  for (const code of [...codes, 'late']) expect((await ask(folder, 'GET', `/${code}`)).status).toBe(404)
  expect((await create(folder, 'made-0', 1)).status).toBe(201)
  const metrics = (await ask(folder, 'GET', '/metrics')).body
  const unanswered = (reason: string) =>
    Number(new RegExp(`^tern_api_unanswered_total{reason="${reason}"} (\\d+)$`, 'm').exec(metrics)?.[1])
  const blocked = ['the one that blocks', 'late'].length + givenUp + tooEarly
  expect([unanswered('full'), unanswered('blocked'), unanswered('slow')]).toEqual([refused, blocked, 0])
  expect(server.output).toContain('The API thread is blocked')
  // Noticed once a second.
  await until(() => server.output.includes('The API thread responds again.'))
})

test.each([
  ['before anybody has noticed', false],
  ['long after that was noticed', true],
])(
  'when it is stopped %s that the API thread is blocked, it exits in time with every click safe',
  async (_, isLate) => {
    const { folder, server } = await startBlocked()
    for (let click = 0; click < 3; click++) expect((await ask(folder, 'GET', '/code')).status).toBe(302)
    if (isLate) expect(messagesOf([await ask(folder, 'GET', '/api/health')])).toEqual({ [IN_VAIN]: 1 })
    const toldAt = performance.now()
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
    expect(performance.now() - toldAt).toBeLessThan(STOP_MS_MAX)
    for (const { clicks, sealedClicks } of readSegments(join(folder.settings.DATA_DIR, 'journal')))
      expect(sealedClicks).toBe(clicks.length)
    await start(folder)
    const readCount = async () => (await folder.clickCounts(['code'])).get('code')!
    expect(await eventually(readCount, (count) => count >= 3)).toBe(3)
  },
)

const IN_VAIN =
  'The server did not answer in time. The request may or may not have been carried out. Try again in a few seconds.'

/** What may wait in bodies, in megabytes of ten to the sixth, rounded down. */
const WAITING_MEGABYTES = 67

/** What the program promises to need at most, with some room for a busy machine. */
const STOP_MS_MAX = 15_000

async function start({ settings }: OperatedFolder, root?: string): Promise<ServerProcess> {
  const server = await ServerProcess.start(settings, root === undefined ? {} : { root })
  servers.push(server)
  return server
}

async function startBlocked(): Promise<{ folder: OperatedFolder; server: ServerProcess }> {
  const folder = await operateFolder(folders.make())
  const first = await start(folder)
  await folder.makeLinks(['code'])
  const limited = { original_url: 'https://example.com/', custom_code: 'limited', max_clicks: 5 }
  await folder.api('POST', '/api/links', limited)
  await first.stop()
  const server = await start(folder, changedCheckout(folders.make(), API_BLOCK))
  // The thread's first request: it is blocked before its first heartbeat.
  void ask(folder, 'GET', '/api/block')
  const isBlocked = async () => existsSync(join(folder.settings.DATA_DIR, 'is-blocked'))
  expect(await eventually(isBlocked, Boolean)).toBe(true)
  return { folder, server }
}

async function ask({ port, key }: OperatedFolder, method: string, path: string, body?: unknown) {
  const client = new KeepAliveClient(port)
  clients.push(client)
  const answer = await client.request({ method, path, headers: { 'X-API-Key': key }, body })
  return answer as ClientAnswer
}

const create = (folder: OperatedFolder, custom_code: string, megabytes = 0) =>
  ask(folder, 'POST', '/api/links', {
    original_url: 'https://example.com/',
    custom_code,
    padding: ' '.repeat(megabytes * 1e6),
  })

/** How often each message was received. */
function messagesOf(answers: readonly ClientAnswer[]): Record<string, number> {
  const messages: Record<string, number> = {}
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    const { success, message, errors } = JSON.parse(body)
    expect([success, errors]).toEqual([false, {}])
    messages[message] = (messages[message] ?? 0) + 1
  }
  return messages
}
