import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { eventually, type ServiceRig, startServiceRig, type TestCaller } from '../../test/rigs/service-rig.ts'

let rig: ServiceRig
let caller: TestCaller

beforeAll(async () => {
  rig = await startServiceRig()
  caller = await rig.makeCaller()
  await makeLink('lane')
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

/** A connection that remembers what came, and whether it has ended. */
function open() {
  const socket: Socket = connect(rig.config.port, '127.0.0.1')
  const heard = { text: '', isClosed: false }
  socket.on('data', (bytes) => (heard.text += bytes.toString('latin1')))
  socket.on('close', () => (heard.isClosed = true))
  socket.on('error', () => {})
  const until = (isThere: () => boolean) => eventually(async () => isThere(), Boolean)
  const answers = () => heard.text.split('HTTP/1.1 ').length - 1
  return { socket, heard, until, answers }
}

const statusLines = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 \d+/g)].map(([line]) => line)

test('requests on one connection are answered one after the other, each complete', async () => {
  const { socket, heard, until, answers } = open()
  for (let n = 1; n <= 5; n++) {
    socket.write(get(n % 2 === 0 ? '/lane' : '/nobody-here'))
    await until(() => answers() === n)
  }
  expect(statusLines(heard.text)).toEqual([404, 302, 404, 302, 404].map((s) => `HTTP/1.1 ${s}`))
  expect(
    heard.text.match(/\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\r\n/g),
  ).toHaveLength(5)
  expect(heard.text.match(/\r\nContent-Length: \d+\r\n/g)).toHaveLength(5)
  expect(heard.text).toContain('Location: https://example.com/lane\r\n')
  socket.destroy()
})

test('what is sent before the answer is out is answered after it, in order', async () => {
  await makeLink('ahead')
  const targets = ['/ahead', '/nobody-at-all', '/ahead', '/api/health', '/ahead']
  for (const inOnePacket of [true, false]) {
    const { socket, until, answers, heard } = open()
    socket.setNoDelay(true)
    if (inOnePacket) socket.write(targets.map((target) => get(target)).join(''))
    for (const target of inOnePacket ? [] : targets) {
      socket.write(get(target))
      await Bun.sleep(0)
    }
    await until(() => answers() === targets.length || heard.isClosed)
    expect(statusLines(heard.text)).toEqual([302, 404, 302, 200, 302].map((s) => `HTTP/1.1 ${s}`))
    socket.destroy()
  }
})

test('HTTP/1.0 and Connection: close are answered and closed', async () => {
  for (const request of [get('/lane').replace('1.1', '1.0'), get('/lane', 'Connection: close\r\n')]) {
    const { socket, heard, until } = open()
    socket.write(request)
    await until(() => heard.isClosed)
    expect(heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
    expect(heard.text).toContain('\r\nConnection: close\r\n')
  }
})

test('a client that says with its request that nothing follows is answered in full, and counted', async () => {
  await makeLink('last')
  const lengths = {
    '/last': 0,
    '/nobody-here': 1,
    '/api/health': 1,
    '/docs': 50_000,
    '/api/openapi.json': 50_000,
  }
  for (const [target, length] of Object.entries(lengths)) {
    const { socket, heard, until, answers } = open()
    socket.end(get(target))
    await until(() => heard.isClosed)
    const content = heard.text.slice(heard.text.indexOf('\r\n\r\n') + 4)
    const [, declared] = /\r\nContent-Length: (\d+)\r\n/i.exec(heard.text)!
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

test('HEAD has no content and no click', async () => {
  await makeLink('headed')
  const { socket, heard, until, answers } = open()
  socket.write(get('/headed').replace('GET', 'HEAD'))
  await until(() => answers() === 1)
  socket.write(get('/nobody-here').replace('GET', 'HEAD'))
  await until(() => answers() === 2 && heard.text.endsWith('\r\n\r\n'))
  expect(heard.text).not.toContain('{')
  socket.write(get('/headed'))
  expect(
    await eventually(
      () => clicksOf('headed'),
      (clicks) => clicks > 0,
    ),
  ).toBe(1)
  socket.destroy()
})

test('a head that comes in pieces is answered all the same', async () => {
  const { socket, heard, until, answers } = open()
  socket.setNoDelay(true)
  const request = get('/lane')
  socket.write(request.slice(0, 30))
  await Bun.sleep(50)
  socket.write(request.slice(30))
  await until(() => answers() === 1)
  expect(heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
  socket.destroy()
})

test('a head that comes byte by byte is looked at when a line of it ends, not again with every byte', async () => {
  for (const target of ['/lane', '/api/health']) {
    const { socket, until, answers } = open()
    socket.setNoDelay(true)
    for (const byte of get(target)) {
      socket.write(byte)
      await Bun.sleep(0)
    }
    await until(() => answers() === 1)
    socket.destroy()
  }
  const { socket, heard, until, answers } = open()
  socket.setNoDelay(true)
  for (const piece of ['GET /lane', ' HTTP/1.1 and more']) {
    socket.write(piece)
    await Bun.sleep(100)
  }
  // Refused by the complete server as soon as anybody looks: nobody has.
  expect(heard).toEqual({ text: '', isClosed: false })
  socket.write('\r\n\r\n')
  await until(() => answers() === 1)
  expect(statusLines(heard.text)).toEqual(['HTTP/1.1 505'])
})

test('the API and short addresses may follow each other on one connection', async () => {
  const { socket, heard, until, answers } = open()
  const targets = ['/lane', '/api/health', '/lane', '/docs', '/lane']
  for (const [i, target] of targets.entries()) {
    socket.write(get(target))
    await until(() => answers() === i + 1)
  }
  expect(statusLines(heard.text)).toEqual([302, 200, 302, 200, 302].map((s) => `HTTP/1.1 ${s}`))
  socket.destroy()
})

test('a large body passes whole, and a large answer whole to a slow reader', async () => {
  const links = Array.from({ length: 100 }, (_, i) => ({
    original_url: `https://example.com/${'x'.repeat(8_000)}/${i}`,
    title: `Large ${i}`,
  }))
  const { key } = await rig.makeCaller()
  const made = await rig.call('POST', '/api/bulk-shorten', { key, body: { links } })
  expect([made.status, made.body.count]).toEqual([201, 100])
  const { socket, heard, until } = open()
  socket.pause()
  socket.write(get('/api/links?per_page=100', `X-API-Key: ${key}\r\nConnection: close\r\n`))
  await Bun.sleep(200)
  socket.resume()
  await until(() => heard.isClosed)
  const body = JSON.parse(heard.text.slice(heard.text.indexOf('\r\n\r\n') + 4))
  expect(body.data.map((link: { original_url: string }) => link.original_url).reverse()).toEqual(
    links.map((link) => link.original_url),
  )
})

test('clients that leave early harm nobody, and every answered click counts', async () => {
  await makeLink('leaving')
  let answered = 0
  const visit = async (i: number) => {
    const { socket, until, answers, heard } = open()
    socket.write(get(i % 3 === 0 ? '/api/stats/public' : '/leaving'))
    if (i % 4 === 0) return void socket.destroy()
    await until(() => answers() === 1 || heard.isClosed)
    if (heard.text.includes('302 Found')) answered++
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
}, 30_000)

test('whoever sends far ahead is answered and counted for every request', async () => {
  await makeLink('far-ahead')
  const { socket, heard, until, answers } = open()
  const flood = get('/far-ahead').repeat(50)
  for (let i = 0; i < 200; i++) {
    socket.write(flood)
    await Bun.sleep(1)
  }
  await until(() => answers() === 10_000)
  expect([answers(), heard.isClosed]).toEqual([10_000, false])
  socket.destroy()
  const clicks = await eventually(
    () => clicksOf('far-ahead'),
    (clicks) => clicks >= 10_000,
  )
  expect(clicks).toBe(10_000)
}, 60_000)
