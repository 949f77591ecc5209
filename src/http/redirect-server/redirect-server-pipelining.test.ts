import { afterEach, expect, test } from 'bun:test'
import { endAll, settled } from '../../../test/rigs/http/api-proxy-rig.ts'
import { eventually, until } from '../../../test/rigs/eventually.ts'
import {
  answersIn,
  connectTo,
  get,
  head,
  LONG_HREF,
  openRedirectServerRig,
  post,
} from '../../../test/rigs/http/redirect-server-rig.ts'

afterEach(endAll)

test('requests in one packet are answered in order, and each is counted once', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  const codes = Array.from({ length: 300 }, (_, i) => `/code-${i}`)
  socket.write(codes.map((code) => get(code)).join(''))
  await until(() => answersIn(received.text).length === 300)
  expect(answersIn(received.text)).toEqual(codes)
  expect([rig.journal.clicks, rig.counted[302].value]).toEqual([300, 300])
})

test('each request waits for the response before it, and is not counted earlier', async () => {
  const rig = openRedirectServerRig()
  rig.journal.waiting = []
  const { socket, received } = connectTo(rig.port)
  socket.write(get('/one') + get('/two'))
  await until(() => rig.journal.waiting?.length === 1)
  socket.write(get('/three'))
  for (const sent of [['/one'], ['/one', '/two'], ['/one', '/two', '/three']]) {
    await until(() => rig.journal.waiting?.length === sent.length)
    expect([rig.opened.length, rig.counted[302].value]).toEqual([sent.length, sent.length - 1])
    rig.journal.waiting.at(-1)!.resolve()
    await until(() => answersIn(received.text).length === sent.length)
    expect(answersIn(received.text)).toEqual(sent)
  }
})

test('HEAD, unknown codes, the API and bodies are answered in order too', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  const first = get('/one') + head('/two') + get('/nobody') + get('/three')
  const chunked = 'Transfer-Encoding: chunked\r\n'
  const second =
    get('/api/x') +
    get('/four') +
    post('/api/y', get('/never')) +
    head('/api/z') +
    get('/nobody') +
    head('/five')
  const third = get('/api/w', chunked).replace('GET', 'POST') + '3\r\nabc\r\n0\r\n\r\n' + get('/six')
  socket.write(first + second + third)
  const expected = ['/one', '/two', '404', '/three', 'GET /api/x with 0 bytes', '/four']
  expected.push(`POST /api/y with ${get('/never').length} bytes`, '200', '404', '/five')
  expected.push('POST /api/w with 3 bytes', '/six')
  await until(() => answersIn(received.text).length === expected.length)
  expect(answersIn(received.text)).toEqual(expected)
  expect(rig.asked).toEqual(['/api/x', '/api/y', '/api/z', '/api/w'])
  expect([rig.journal.clicks, rig.counted[302].value, rig.counted[404].value]).toEqual([4, 6, 2])
  expect(rig.logged).toEqual([])
})

test('requests may be split into packets anywhere', async () => {
  const rig = openRedirectServerRig()
  const requests = get('/one') + get('/nobody') + post('/api/x', 'content') + get('/two')
  const expected = ['/one', '404', 'POST /api/x with 7 bytes', '/two']
  for (let at = 1; at < requests.length; at += 3) {
    const { socket, received } = connectTo(rig.port)
    socket.write(requests.slice(0, at))
    await Bun.sleep(1)
    socket.write(requests.slice(at))
    await until(() => answersIn(received.text).length === expected.length)
    expect([at, answersIn(received.text)]).toEqual([at, expected])
    socket.destroy()
  }
})

test('of a client that disconnects, only the click that the journal has is counted', async () => {
  const odd = get('/one', 'X-Odd: \xe9\r\n')
  for (const packets of [
    [get('/one') + get('/two')],
    [get('/one'), get('/two')],
    [odd + get('/two')],
    [odd, get('/two')],
  ]) {
    const rig = openRedirectServerRig()
    rig.journal.waiting = []
    const { socket } = connectTo(rig.port)
    for (const packet of packets) {
      socket.write(packet, 'latin1')
      await until(() => rig.journal.waiting?.length === 1)
      await answerSomebodyElse(rig.port)
    }
    socket.resetAndDestroy()
    await until(() => rig.connections.value === 0)
    // The server behind the proxy sees the reset only after the proxy does.
    await Bun.sleep(50)
    rig.journal.waiting[0]!.resolve()
    await answerSomebodyElse(rig.port)
    expect([rig.journal.clicks, rig.counted[302].value]).toEqual([1, 0])
  }
})

test('the last response says so, arrives although more was sent, and no later request is executed', async () => {
  const rig = openRedirectServerRig()
  const endings = [get('/two', 'Connection: close\r\n'), get('/two').replace('1.1', '1.0')]
  for (const last of endings) {
    const { socket, received } = connectTo(rig.port)
    socket.write(get('/one') + last + get('/never') + post('/api/never', 'x'.repeat(100_000)))
    await until(() => received.hasEnded)
    expect([answersIn(received.text), received.wasReset]).toEqual([['/one', '/two'], false])
    expect(received.text.split('\r\nConnection: close\r\n')).toHaveLength(2)
    socket.end()
  }
  expect([rig.opened, rig.asked]).toEqual([['one', 'two', 'one', 'two'], []])
})

test('when the server stops, a connection ends with its current response, and no later request is executed', async () => {
  const rig = openRedirectServerRig()
  rig.journal.waiting = []
  const { socket, received } = connectTo(rig.port)
  socket.write(get('/one') + get('/never'))
  await until(() => rig.journal.waiting?.length === 1)
  rig.server.announceStop()
  rig.journal.waiting[0]!.resolve()
  await until(() => received.hasEnded)
  expect([answersIn(received.text), rig.opened]).toEqual([['/one'], ['one']])
  expect(received.text).toContain('\r\nConnection: close\r\n')
})

test('a client that sends endlessly is not read ahead of its responses', async () => {
  const rig = openRedirectServerRig()
  rig.journal.waiting = []
  const { socket, received } = connectTo(rig.port)
  // 60 MB: more than the buffers of the kernel grow to, 36 MB on some machines.
  const ENOUGH = 30_000
  const request = get('/one', `X-Padding: ${'x'.repeat(2_000)}\r\n`)
  socket.write(request.repeat(ENOUGH))
  await until(() => rig.journal.waiting?.length === 1)
  const taken = await settled(() => socket.bytesWritten - socket.writableLength)
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(taken).toBeLessThan(request.length * ENOUGH)
  expect([rig.opened.length, received.text]).toEqual([1, ''])
  const [first] = rig.journal.waiting
  rig.journal.waiting = undefined
  first!.resolve()
  await until(() => answersIn(received.text.slice(-2_000)).length > 0 && socket.writableLength === 0)
  await until(() => rig.counted[302].value === ENOUGH)
  expect([rig.journal.clicks, rig.logged]).toEqual([ENOUGH, []])
})

test('a response that is read slowly arrives complete, is then counted, and the next one follows', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  socket.pause()
  socket.write(get('/long') + get('/two'))
  await until(() => rig.journal.clicks === 1)
  await settled(() => rig.journal.clicks)
  expect([rig.journal.clicks, rig.counted[302].value]).toEqual([1, 0])
  socket.resume()
  await until(() => received.text.includes('Location: https://example.com/two\r\n'))
  expect(received.text.split('\r\n')[1] === `Location: ${LONG_HREF}`).toBe(true)
  expect([rig.journal.clicks, rig.counted[302].value]).toEqual([2, 2])
})

test('a client that does not read its response is disconnected, and no later request is executed', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  socket.pause()
  socket.write(get('/long') + get('/never'))
  await until(() => rig.journal.clicks === 1)
  // After ten seconds, which the runtime checks every four.
  await eventually(async () => rig.connections.value === 0, Boolean)
  await until(() => rig.connections.value === 0)
  socket.resume()
  await until(() => received.hasEnded)
  expect(received.text.length).toBeLessThan(LONG_HREF.length)
  expect([rig.opened, rig.counted[302].value]).toEqual([['long'], 0])
})

/** A complete exchange of another client: by then, what was sent before it has arrived. */
async function answerSomebodyElse(port: number): Promise<void> {
  const { socket, received } = connectTo(port)
  socket.write(get('/nobody'))
  await until(() => received.text !== '')
  socket.destroy()
}
