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

test('requests on one connection are answered one after the other, each in full', async () => {
  const { socket, received, answers } = open()
  for (let n = 1; n <= 5; n++) {
    socket.write(get(n % 2 === 0 ? '/hello' : '/nobody-here'))
    await until(() => answers() === n)
  }
  expect(statusLines(received.text)).toEqual([404, 302, 404, 302, 404].map((s) => `HTTP/1.1 ${s}`))
  expect(
    received.text.match(/\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\r\n/g),
  ).toHaveLength(5)
  expect(received.text.match(/\r\nContent-Length: \d+\r\n/g)).toHaveLength(5)
  expect(received.text).toContain('Location: https://example.com/hello\r\n')
  socket.destroy()
})

test('a request that is sent before the previous response is answered after it', async () => {
  await makeLink('pipelined')
  const targets = ['/pipelined', '/nobody-at-all', '/pipelined', '/api/health', '/pipelined']
  for (const inOnePacket of [true, false]) {
    const { socket, answers, received } = open()
    socket.setNoDelay(true)
    if (inOnePacket) socket.write(targets.map((target) => get(target)).join(''))
    for (const target of inOnePacket ? [] : targets) {
      socket.write(get(target))
      await Bun.sleep(0)
    }
    await until(() => answers() === targets.length || received.isClosed)
    expect(statusLines(received.text)).toEqual([302, 404, 302, 200, 302].map((s) => `HTTP/1.1 ${s}`))
    socket.destroy()
  }
})

test('HTTP/1.0 and Connection: close are answered and closed', async () => {
  for (const request of [get('/hello').replace('1.1', '1.0'), get('/hello', 'Connection: close\r\n')]) {
    const { socket, received } = open()
    socket.write(request)
    await until(() => received.isClosed)
    expect(received.text).toStartWith('HTTP/1.1 302 Found\r\n')
    expect(received.text).toContain('\r\nConnection: close\r\n')
  }
})

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

test('HEAD gets no body and counts no click', async () => {
  await makeLink('headed')
  const { socket, received, answers } = open()
  socket.write(get('/headed').replace('GET', 'HEAD'))
  await until(() => answers() === 1)
  socket.write(get('/nobody-here').replace('GET', 'HEAD'))
  await until(() => answers() === 2 && received.text.endsWith('\r\n\r\n'))
  expect(received.text).not.toContain('{')
  socket.write(get('/headed'))
  expect(
    await eventually(
      () => clicksOf('headed'),
      (clicks) => clicks > 0,
    ),
  ).toBe(1)
  socket.destroy()
})

test('a head that arrives in pieces is answered', async () => {
  const { socket, received, answers } = open()
  socket.setNoDelay(true)
  const request = get('/hello')
  socket.write(request.slice(0, 30))
  await Bun.sleep(50)
  socket.write(request.slice(30))
  await until(() => answers() === 1)
  expect(received.text).toStartWith('HTTP/1.1 302 Found\r\n')
  socket.destroy()
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

test('API requests and short URLs may alternate on one connection', async () => {
  const { socket, received, answers } = open()
  const targets = ['/hello', '/api/health', '/hello', '/docs', '/hello']
  for (const [i, target] of targets.entries()) {
    socket.write(get(target))
    await until(() => answers() === i + 1)
  }
  expect(statusLines(received.text)).toEqual([302, 200, 302, 200, 302].map((s) => `HTTP/1.1 ${s}`))
  socket.destroy()
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

test('a client that pipelines many requests is answered and counted for each', async () => {
  await makeLink('flooded')
  const { socket, received, answers } = open()
  const flood = get('/flooded').repeat(50)
  for (let i = 0; i < 200; i++) {
    socket.write(flood)
    await Bun.sleep(1)
  }
  await until(() => answers() === 10_000)
  expect([answers(), received.isClosed]).toEqual([10_000, false])
  socket.destroy()
  const clicks = await eventually(
    () => clicksOf('flooded'),
    (clicks) => clicks >= 10_000,
  )
  expect(clicks).toBe(10_000)
})
