import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { eventually, until } from '../../../test/rigs/eventually.ts'
import { type ServiceRig, startServiceRig, type TestCaller } from '../../../test/rigs/service/service-rig.ts'

let rig: ServiceRig
let caller: TestCaller

beforeAll(async () => {
  rig = await startServiceRig()
  caller = await rig.makeCaller()
  await makeLink('hello')
})

afterAll(() => rig.stop())

test('a client that closes its side with its request is answered in full, and counted', async () => {
  await makeLink('last')
  const lengths = {
    '/last': 0,
    '/nobody-here': 1,
    '/api/health': 1,
    '/docs': 50_000,
    '/api/openapi.json': 50_000,
  }
  for (const [target, length] of Object.entries(lengths)) {
    const { socket, received, answers } = open()
    socket.end(get(target))
    await until(() => received.isClosed)
    const content = received.text.slice(received.text.indexOf('\r\n\r\n') + 4)
    const [, declared] = /\r\nContent-Length: (\d+)\r\n/i.exec(received.text)!
    expect([target, answers(), content.length]).toEqual([target, 1, Number(declared)])
    expect(content.length).toBeGreaterThanOrEqual(length)
  }
  expect(
    await eventually(
      () => clicksOf('last'),
      (clicks) => clicks > 0,
    ),
  ).toBe(1)
})

test('a head that arrives byte by byte is parsed at the end of each line, not for every byte', async () => {
  for (const target of ['/hello', '/api/health']) {
    const { socket, answers } = open()
    socket.setNoDelay(true)
    for (const byte of get(target)) {
      socket.write(byte)
      await Bun.sleep(0)
    }
    await until(() => answers() === 1)
    socket.destroy()
  }
  const { socket, received, answers } = open()
  socket.setNoDelay(true)
  for (const piece of ['GET /hello', ' HTTP/1.1 and more']) {
    socket.write(piece)
    await Bun.sleep(100)
  }
  // The API server would refuse it at once, so it was not parsed.
  expect(received).toEqual({ text: '', isClosed: false })
  socket.write('\r\n\r\n')
  await until(() => answers() === 1)
  expect(statusLines(received.text)).toEqual(['HTTP/1.1 505'])
})

test('a large body arrives complete, and so does a large response to a slow reader', async () => {
  const links = Array.from({ length: 100 }, (_, i) => ({
    original_url: `https://example.com/${'x'.repeat(8_000)}/${i}`,
    title: `Large ${i}`,
  }))
  const { key } = await rig.makeCaller()
  const made = await rig.call('POST', '/api/bulk-shorten', { key, body: { links } })
  expect([made.status, made.body.count]).toEqual([201, 100])
  const { socket, received } = open()
  socket.pause()
  socket.write(get('/api/links?per_page=100', `X-API-Key: ${key}\r\nConnection: close\r\n`))
  await Bun.sleep(200)
  socket.resume()
  await until(() => received.isClosed)
  const body = JSON.parse(received.text.slice(received.text.indexOf('\r\n\r\n') + 4))
  expect(body.data.map((link: { original_url: string }) => link.original_url).reverse()).toEqual(
    links.map((link) => link.original_url),
  )
})

test('clients that disconnect early do no harm, and every answered click counts', async () => {
  await makeLink('leaving')
  let answered = 0
  const visit = async (i: number) => {
    const { socket, answers, received } = open()
    socket.write(get(i % 3 === 0 ? '/api/stats/public' : '/leaving'))
    if (i % 4 === 0) return void socket.destroy()
    await until(() => answers() === 1 || received.isClosed)
    if (received.text.includes('302 Found')) answered++
    socket.destroy()
  }
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 60 }, (_, i) => visit(i)))
  expect(answered).toBe(150)
  const clicks = await eventually(
    () => clicksOf('leaving'),
    (clicks) => clicks >= answered,
  )
  expect(clicks).toBeGreaterThanOrEqual(answered)
  expect(clicks).toBeLessThanOrEqual(200)
  expect((await rig.call('GET', '/api/health')).status).toBe(200)
})

const makeLink = (code: string) =>
  rig.call('POST', '/api/links', {
    key: caller.key,
    body: { original_url: `https://example.com/${code}`, custom_code: code },
  })

const clicksOf = async (code: string): Promise<number> =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data.click_count

const get = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost:${rig.config.port}\r\nUser-Agent: curl/8\r\n${more}\r\n`

/** A connection that collects what it receives. */
function open() {
  const socket: Socket = connect(rig.config.port, '127.0.0.1')
  const received = { text: '', isClosed: false }
  socket.on('data', (bytes) => (received.text += bytes.toString('latin1')))
  socket.on('close', () => (received.isClosed = true))
  socket.on('error', () => {})
  const answers = () => received.text.split('HTTP/1.1 ').length - 1
  return { socket, received, answers }
}

const statusLines = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 \d+/g)].map(([line]) => line)
