import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { eventually, until } from '../../rigs/eventually.ts'
import { readSegments } from '../../rigs/clicks/journal-rig.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'
import { runTern, spawnTern } from '../../rigs/program/server-process.ts'
import { killNode } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { startVisits } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

function expectSealedSegments({ dataDir }: Tern): void {
  const segments = readSegments(join(dataDir, 'journal'))
  expect(segments).not.toBeEmpty()
  for (const { clicks, sealedClicks } of segments) expect(sealedClicks).toBe(clicks.length)
}

describe('when it is stopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load, it finishes requests in progress and counts every click it redirected',
    async (signal) => {
      await using tern = await Tern.start()
      const load = await startVisits(tern, { visitors: 8 })
      await load.continues(300)
      expect(await tern.stop(0, signal)).toMatchObject({ exitCode: 0, complaints: '' })
      await load.stop()
      expect(load.tally.cut.within).toBe(0)
      expectSealedSegments(tern)
      await tern.start()
      await expectInvariants(tern)
    },
  )

  test('by a signal to npm, which started it, it exits as if the signal had been its own', async () => {
    await using tern = await new Tern().prepare()
    const npm = Bun.spawn(['npm', 'start'], {
      cwd: join(import.meta.dir, '../../..'),
      env: { PATH: process.env.PATH ?? '', HOME: tern.dataDir, ...tern.operator.settings },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const output = npm.stdout.text()
    const isHealthy = () =>
      documentedFetch(`http://127.0.0.1:${tern.operator.port}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(isHealthy)
    await tern.makeLinks('first')
    expect(await tern.visit('first')).toBe(302)
    npm.kill('SIGTERM')
    await npm.exited
    // The server holds the other end of this pipe until it ends.
    expect(await output).toContain('Stopping')
    expect(await isHealthy()).toBe(false)
    expectSealedSegments(tern)
  })

  test('it finishes a request it has received in part, and accepts no new ones', async () => {
    await using tern = await Tern.start()
    const body = JSON.stringify({ original_url: 'https://example.com/', custom_code: 'halved' })
    const fields = ['Host: localhost', `X-API-Key: ${tern.operator.key}`, 'Content-Type: application/json']
    const head = `POST /api/links HTTP/1.1\r\n${fields.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`
    const halved = connectTo(tern)
    let response = ''
    halved.on('data', (bytes) => (response += bytes.toString()))
    halved.write(head + body.slice(0, 10))
    await tern.makeLinks('first')
    const ended = tern.stop()
    const isRefused = () =>
      tern.api('GET', '/api/health').then(
        () => false,
        () => true,
      )
    await until(isRefused)
    halved.write(body.slice(10))
    expect(await ended).toMatchObject({ exitCode: 0, complaints: '' })
    await until(() => response !== '')
    expect(response).toStartWith('HTTP/1.1 201 Created\r\n')
    halved.destroy()
    await tern.start()
    expect((await tern.api('GET', '/halved')).status).toBe(302)
  })

  test('it does not wait forever for a visitor who never finishes a request', async () => {
    await using tern = await Tern.start()
    await tern.makeLinks('first')
    expect((await tern.api('GET', '/first')).status).toBe(302)
    const slow = connectTo(tern)
    await new Promise((resolve) => slow.write('GET /first HTTP/1.1\r\nHo', resolve))
    expect(await tern.stop()).toMatchObject({ exitCode: 0, complaints: '' })
    expectSealedSegments(tern)
    slow.destroy()
  })
})

describe('when it is stopped with STOP_DELAY', () => {
  test('it serves everything as before, but its health check says that it is stopping', async () => {
    await using tern = await Tern.start({ settings: { STOP_DELAY: '5s' } })
    await tern.makeLinks('first')
    const ended = tern.stop()
    const health = await eventually(
      () => tern.api('GET', '/api/health'),
      ({ status }) => status === 503,
    )
    expect(health.status).toBe(503)
    expect(JSON.parse(health.body)).toEqual({
      status: 'stopping',
      timestamp: expect.any(String),
      version: '1.2.0.1',
    })
    const opened = await tern.ask(0, 'GET', '/first')
    expect([opened.status, opened.headers.get('connection')]).toEqual([302, 'close'])
    await tern.makeLinks('made-late')
    const { exitCode, complaints, output } = await ended
    expect([exitCode, complaints]).toEqual([0, ''])
    expect(output).toContain(
      'Stopping in 5 seconds. Until then all requests are served; the health check answers 503.\n',
    )
    await tern.start()
    await tern.counted({ first: 1, 'made-late': 0 })
  })
})

describe('starting', () => {
  test('on a folder in use is refused, and names the process', async () => {
    await using tern = await Tern.start()
    const settings = { ...tern.operator.settings, PORT: '0', BASE_URL: 'http://localhost' }
    const second = await runTern(['serve'], settings)
    expect([second.exitCode, second.output]).toEqual([1, ''])
    expect(second.complaints).toStartWith(
      `The data folder ${tern.dataDir} is in use by process ${tern.nodes[0]!.server!.pid} on `,
    )
    expect(second.complaints.trim().split('\n')).toHaveLength(1)
    expect((await tern.api('GET', '/api/health')).status).toBe(200)
  })

  test('on a port in use is refused, and releases the folder', async () => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    await using tern = await new Tern().prepare()
    expect(await runTern(['serve'], { ...tern.operator.settings, PORT: String(other.port) })).toEqual({
      exitCode: 1,
      output: '',
      complaints: `Port ${other.port} is in use by another program. Set PORT to a free one.\n`,
    })
    await tern.start()
    await other.stop(true)
  })

  test('after kill -9 takes the folder over and counts what was redirected', async () => {
    await using tern = await Tern.start()
    const load = await startVisits(tern, { visitsMax: 200 })
    expect((await load.finished()).redirects).toBe(200)
    await killNode(tern)
    const { pid } = await tern.start()
    expect(readFileSync(join(tern.dataDir, 'lock.holder'), 'utf8')).toStartWith(`process ${pid} `)
    await expectInvariants(tern)
  })
})

test('it outlives the reader of its output', async () => {
  await using tern = await new Tern().prepare()
  const child = spawnTern(['serve'], { ...tern.operator.settings, LOG_LEVEL: 'debug' })
  try {
    const reader = child.stdout.getReader()
    await reader.read()
    await Promise.all([reader.cancel(), child.stderr.cancel()])
    await tern.makeLinks('first')
    // Each of these is a line in the log.
    for (let i = 0; i < 20; i++) expect((await tern.api('GET', '/api/health')).status).toBe(200)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})

function connectTo(tern: Tern): Socket {
  const socket = connect({ port: tern.operator.port, host: '127.0.0.1' })
  return socket.on('error', () => {})
}
