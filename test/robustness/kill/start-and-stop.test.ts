import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { readSegments } from '../../rigs/clicks/journal-rig.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { runTern, ServerProcess, spawnTern } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'

/** What the program promises to need at most, with some room for a busy machine. */
const STOP_MS_MAX = 15_000
const CODES = ['first', 'second', 'third']

setDefaultTimeout(60_000)

const folders = temporaryFolders()
const servers: ServerProcess[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  folders.remove()
})

async function start({ settings }: Pick<OperatedFolder, 'settings'>): Promise<ServerProcess> {
  const server = new ServerProcess(settings)
  servers.push(server)
  await server.ready
  return server
}

async function expectEveryClickCounted(folder: OperatedFolder, tally: LoadTally): Promise<void> {
  const isAllThere = (counts: Map<string, number>) => sumOf(counts) >= sumOf(tally.acknowledged)
  const counts = await eventually(() => folder.clickCounts(CODES), isAllThere)
  for (const code of CODES) {
    expect(counts.get(code)).toBeGreaterThanOrEqual(tally.acknowledged.get(code) ?? 0)
    expect(counts.get(code)).toBeLessThanOrEqual(tally.sent.get(code) ?? 0)
  }
}

function expectSealedSegments({ settings }: OperatedFolder): void {
  const segments = readSegments(join(settings.DATA_DIR, 'journal'))
  expect(segments).not.toBeEmpty()
  for (const { clicks, sealedClicks } of segments) expect(sealedClicks).toBe(clicks.length)
}

describe('when it is stopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load, it finishes requests in progress and counts every click it redirected',
    async (signal) => {
      const folder = await operateFolder(folders.make())
      const server = await start(folder)
      await folder.makeLinks(CODES)
      const load = new ClickLoad({ port: folder.port, clients: 8, codes: CODES, random: seededRandom(1) })
      await eventually(
        async () => sumOf(load.tally.acknowledged),
        (count) => count >= 300,
      )
      const toldAt = performance.now()
      const { exitCode, complaints } = await server.stop(signal)
      expect([exitCode, complaints]).toEqual([0, ''])
      expect(performance.now() - toldAt).toBeLessThan(STOP_MS_MAX)
      const tally = await load.stop()
      expect(tally.cut.within).toBe(0)
      expect(tally.statuses.size).toBe(0)
      expectSealedSegments(folder)
      await start(folder)
      await expectEveryClickCounted(folder, tally)
    },
  )

  test('by a signal to npm, which started it, it exits as if the signal had been its own', async () => {
    const folder = await operateFolder(folders.make())
    const npm = Bun.spawn(['npm', 'start'], {
      cwd: join(import.meta.dir, '../../..'),
      env: { PATH: process.env.PATH ?? '', HOME: folder.settings.DATA_DIR, ...folder.settings },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const output = npm.stdout.text()
    const isHealthy = () =>
      documentedFetch(`http://127.0.0.1:${folder.port}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    expect(await eventually(isHealthy, (isUp) => isUp)).toBe(true)
    await folder.makeLinks(['first'])
    await documentedFetch(`http://127.0.0.1:${folder.port}/first`)
    npm.kill('SIGTERM')
    await npm.exited
    // The server holds the other end of this pipe until it ends.
    expect(await output).toContain('Stopping')
    expect(await isHealthy()).toBe(false)
    expectSealedSegments(folder)
  })

  test('it finishes a request it has received in part, and accepts no new ones', async () => {
    const folder = await operateFolder(folders.make())
    const server = await start(folder)
    const body = JSON.stringify({ original_url: 'https://example.com/', custom_code: 'halved' })
    const lines = ['Host: localhost', `X-API-Key: ${folder.key}`, 'Content-Type: application/json']
    const head = `POST /api/links HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`
    const halved = connect({ port: folder.port, host: '127.0.0.1' })
    let heard = ''
    halved.on('error', () => {}).on('data', (bytes) => (heard += bytes.toString()))
    halved.write(head + body.slice(0, 10))
    await folder.makeLinks(CODES)
    const ended = server.stop()
    const isRefused = () =>
      folder.api('GET', '/api/health').then(
        () => false,
        () => true,
      )
    expect(await eventually(isRefused, Boolean)).toBe(true)
    halved.write(body.slice(10))
    expect(await ended).toMatchObject({ exitCode: 0, complaints: '' })
    await eventually(
      async () => heard,
      (text) => text !== '',
    )
    expect(heard).toStartWith('HTTP/1.1 201 Created\r\n')
    halved.destroy()
    await start(folder)
    expect((await folder.api('GET', '/halved')).status).toBe(302)
  })

  test('it does not wait forever for a visitor who never finishes a request', async () => {
    const folder = await operateFolder(folders.make())
    const server = await start(folder)
    await folder.makeLinks(CODES)
    expect((await folder.api('GET', '/first')).status).toBe(302)
    const slow = connect({ port: folder.port, host: '127.0.0.1' })
    slow.on('error', () => {})
    await new Promise((resolve) => slow.write('GET /first HTTP/1.1\r\nHo', resolve))
    const toldAt = performance.now()
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
    expect(performance.now() - toldAt).toBeLessThan(STOP_MS_MAX)
    expectSealedSegments(folder)
    slow.destroy()
  })
})

describe('when it is stopped with STOP_DELAY', () => {
  test('it serves everything as before, but its health check says that it is stopping', async () => {
    const folder = await operateFolder(folders.make(), { STOP_DELAY: '2s' })
    const server = await start(folder)
    await folder.makeLinks(CODES)
    const ended = server.stop()
    const health = await eventually(
      () => folder.api('GET', '/api/health'),
      ({ status }) => status === 503,
    )
    expect(health.status).toBe(503)
    expect(JSON.parse(health.body)).toEqual({
      status: 'stopping',
      timestamp: expect.any(String),
      version: '1.2.0.1',
    })
    const opened = await documentedFetch(`http://localhost:${folder.port}/first`)
    expect([opened.status, opened.headers.get('connection')]).toEqual([302, 'close'])
    await folder.makeLinks(['made-late'])
    expect(await ended).toMatchObject({ exitCode: 0, complaints: '' })
    expect(server.output).toContain(
      'Stopping in 2 seconds. Until then all requests are served; the health check answers 503.\n',
    )
    await start(folder)
    const clicks = await eventually(
      () => folder.clickCounts(['first', 'made-late']),
      (counts) => counts.get('first') === 1,
    )
    expect([...clicks]).toEqual([
      ['first', 1],
      ['made-late', 0],
    ])
  })
})

describe('starting', () => {
  test('on a folder in use is refused, and names the process', async () => {
    const folder = await operateFolder(folders.make())
    const server = await start(folder)
    const second = await runTern(['serve'], { ...folder.settings, PORT: '0', BASE_URL: 'http://localhost' })
    expect([second.exitCode, second.output]).toEqual([1, ''])
    expect(second.complaints).toStartWith(
      `The data folder ${folder.settings.DATA_DIR} is in use by process ${server.pid} on `,
    )
    expect(second.complaints.trim().split('\n')).toHaveLength(1)
    expect((await folder.api('GET', '/api/health')).status).toBe(200)
  })

  test('on a port in use is refused, and releases the folder', async () => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const folder = await operateFolder(folders.make())
    expect(await runTern(['serve'], { ...folder.settings, PORT: String(other.port) })).toEqual({
      exitCode: 1,
      output: '',
      complaints: `Port ${other.port} is in use by another program. Set PORT to a free one.\n`,
    })
    await start(folder)
    await other.stop(true)
  })

  test('after kill -9 takes the folder over and counts what was redirected', async () => {
    const folder = await operateFolder(folders.make())
    const killed = await start(folder)
    await folder.makeLinks(CODES)
    const load = new ClickLoad({
      port: folder.port,
      clients: 4,
      codes: CODES,
      random: seededRandom(2),
      requestsMax: 200,
    })
    const tally = await load.finished
    expect(sumOf(tally.acknowledged)).toBe(200)
    await killed.kill()
    const next = await start(folder)
    expect(readFileSync(join(folder.settings.DATA_DIR, 'lock.holder'), 'utf8')).toStartWith(
      `process ${next.pid} `,
    )
    await expectEveryClickCounted(folder, tally)
  })
})

test('it outlives the reader of its output', async () => {
  const folder = await operateFolder(folders.make())
  const child = spawnTern(['serve'], { ...folder.settings, LOG_LEVEL: 'debug' })
  try {
    const reader = child.stdout.getReader()
    await reader.read()
    await Promise.all([reader.cancel(), child.stderr.cancel()])
    await folder.makeLinks(CODES)
    // Each of these is a line in the log.
    for (let i = 0; i < 20; i++) expect((await folder.api('GET', '/api/health')).status).toBe(200)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})
