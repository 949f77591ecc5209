import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BODY_MAX, clientOf, getText } from '../../test/rigs/outside/guarded-client-rig.ts'
import {
  bytesAnswer,
  type PageServer,
  PUBLIC_IP,
  startPageServer,
} from '../../test/rigs/outside/page-server.ts'
import { find, makeCertificate } from '../../test/rigs/outside/proxy-process.ts'
import { skipBecause } from '../../test/skips.ts'
import type { ResolveHost } from './resolve-host.ts'

let server: PageServer
beforeAll(async () => (server = await startPageServer()))
afterAll(() => server.stop())

describe('a hostile server', () => {
  test('sends no end, and only the limit is read', async () => {
    server.serve('/endless', (_, response) => {
      const write = (): void => {
        while (!response.destroyed)
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', write)
      }
      write()
    })
    const { text } = await getText(server.url('/endless'))
    expect(text).toBe('x'.repeat(BODY_MAX))
  })

  test('sends a bomb, and only the limit is decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'y'))
    server.serve('/bomb', bytesAnswer(bomb, { 'Content-Encoding': 'gzip' }))
    expect((await getText(server.url('/bomb'))).text).toBe('y'.repeat(BODY_MAX))
  })

  test('sends what decodes to nothing, and only the limit is read', async () => {
    const nothing = Buffer.concat(Array<Buffer>(20_000).fill(gzipSync('')))
    server.serve('/nothing', bytesAnswer(nothing, { 'Content-Encoding': 'gzip' }))
    expect(await getText(server.url('/nothing'))).toMatchObject({ status: 200, text: '' })
  })

  test('sends a broken or an unknown encoding, and nothing of it is read', async () => {
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', '__proto__']) {
      server.serve('/broken', bytesAnswer(Buffer.from('not encoded at all'), { 'Content-Encoding': coding }))
      expect(await getText(server.url('/broken'))).toMatchObject({ status: 200, text: '' })
    }
  })

  test('sends headers without an end, in one line or in many', async () => {
    const headers = [`X: ${'a'.repeat(100_000)}\r\n`, 'X: a\r\n'.repeat(20_000)]
    for (const header of headers) {
      server.serve('/headers', ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n`))
      expect(await getText(server.url('/headers'))).toMatchObject({ failure: 'unreachable' })
    }
  })

  test('sends no HTTP, or nothing', async () => {
    for (const text of [
      'SSH-2.0-OpenSSH_9.2\r\n',
      '',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi',
    ]) {
      server.serve('/odd', ({ socket }) => socket.end(text))
      expect(await getText(server.url('/odd'))).toMatchObject({ failure: 'unreachable' })
    }
  })

  const silences: [what: string, sent: string][] = [
    ['nothing', ''],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['one notice after another', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ]
  test.each(silences)('sends %s until the time is up', async (_, sent) => {
    server.serve('/slow', ({ socket }) => void socket.write(sent))
    expect(await getText(server.url('/slow'), clientOf({ timeoutMs: 50 }))).toMatchObject({
      failure: 'unreachable',
    })
  })

  test('wants to speak another protocol', async () => {
    const sent = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n'
    server.serve('/upgrade', ({ socket }) => void socket.write(sent))
    expect(await getText(server.url('/upgrade'), clientOf({ timeoutMs: 1_000 }))).toMatchObject({
      failure: 'unreachable',
    })
  })

  test('stops in the middle, and what came until the time was up is read', async () => {
    server.serve('/drip', (_, response) => void response.write('<title>Slow'))
    const { status, text } = await getText(server.url('/drip'), clientOf({ timeoutMs: 200 }))
    expect({ status, text }).toEqual({ status: 200, text: '<title>Slow' })
  })

  test('has a name that is not resolved until the time is up', async () => {
    const resolve: ResolveHost = (_, limit) =>
      new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason)))
    const answer = await getText('http://shop.example/', clientOf({ resolve, timeoutMs: 50 }))
    expect(answer).toMatchObject({ failure: 'no-public-address' })
  })

  test('does not answer at all', async () => {
    const gone = await startPageServer()
    await gone.stop()
    expect(await getText(gone.url('/'))).toMatchObject({ failure: 'unreachable' })
  })
})

const hasNoOpenssl = find('openssl') === null && skipBecause('certificates', 'apt-get install openssl')

describe('with TLS', () => {
  test('the name is asked for without the dot of the root', async () => {
    const hello = Promise.withResolvers<string>()
    const listener = createServer((socket) =>
      socket.setEncoding('latin1').once('data', (data) => (hello.resolve(String(data)), socket.destroy())),
    )
    await new Promise<void>((resolve) => listener.listen(0, PUBLIC_IP, () => resolve()))
    const { port } = listener.address() as AddressInfo
    expect(await getText(`https://shop.example.:${port}/`)).toMatchObject({ failure: 'unreachable' })
    // RFC 6066, 3: the length of the name, and the name.
    expect(await hello.promise).toContain('\0\x0cshop.example')
    listener.close()
  })

  test.skipIf(hasNoOpenssl)(
    'a certificate that nobody vouches for is refused, whatever the environment says',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tern-certificate-'))
      const { certificate, key } = makeCertificate(folder, 'shop.example')
      const requests: string[] = []
      const [cert, secret] = [readFileSync(certificate), readFileSync(key)]
      const secure = createSecureServer({ cert, key: secret }, ({ url = '' }) => requests.push(url))
      await new Promise<void>((resolve) => secure.listen(0, PUBLIC_IP, () => resolve()))
      const { port } = secure.address() as AddressInfo
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      const answer = await getText(`https://shop.example:${port}/`)
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      expect(answer).toMatchObject({ failure: 'certificate' })
      expect(requests).toEqual([])
      secure.close()
      rmSync(folder, { recursive: true })
    },
  )
})
