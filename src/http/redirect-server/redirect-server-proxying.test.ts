import { afterEach, expect, test } from 'bun:test'
import { endAll } from '../../../test/rigs/http/api-proxy-rig.ts'
import { until } from '../../../test/rigs/eventually.ts'
import {
  answersIn,
  connectTo,
  get,
  openRedirectServerRig,
  post,
} from '../../../test/rigs/http/redirect-server-rig.ts'
import { SILENT_SECONDS_MAX } from '../api-proxy/pending-requests.ts'

afterEach(endAll)

test('only the requests of a connection that are not plain visits go to the API server', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  const requests = [get('/api/a'), get('/one'), get('/two'), post('/api/b', 'hello'), get('/three')]
  for (const [at, request] of requests.entries()) {
    socket.write(request)
    await until(() => answersIn(received.text).length === at + 1)
  }
  expect(answersIn(received.text)).toEqual([
    'GET /api/a with 0 bytes',
    '/one',
    '/two',
    'POST /api/b with 5 bytes',
    '/three',
  ])
  expect([rig.asked, rig.opened, rig.visits.length]).toEqual([
    ['/api/a', '/api/b'],
    ['one', 'two', 'three'],
    0,
  ])
})

test('a path behind a code is answered here if the link opens with one, and else goes to the API server', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  socket.write(
    ['/opens/page', '/one/page', '/opens/a?b', '/api/opens', '/nobody/a', '/opens']
      .map((path) => get(path))
      .join(''),
  )
  await until(() => answersIn(received.text).length === 6)
  expect(answersIn(received.text)).toEqual([
    '/opens/page',
    'GET /one/page with 0 bytes',
    '/opens/a',
    'GET /api/opens with 0 bytes',
    'GET /nobody/a with 0 bytes',
    '/opens',
  ])
  expect([rig.asked, rig.visits]).toEqual([
    ['/one/page', '/api/opens', '/nobody/a'],
    ['one/page', 'one', 'nobody/a', 'nobody'],
  ])
  expect([rig.journal.clicks, rig.counted[302].value]).toEqual([3, 3])
})

test('a visit with an unusual head reaches the API server, and is counted like any other', async () => {
  const rig = openRedirectServerRig()
  const { socket, received } = connectTo(rig.port)
  socket.write(get('/one', 'X-Odd: \xe9\r\n'), 'latin1')
  await until(() => answersIn(received.text).length === 1)
  expect([answersIn(received.text), rig.visits]).toEqual([['/one'], ['one']])
  expect([rig.journal.clicks, rig.counted[302].value]).toEqual([1, 1])
})

test('requests that wait for a blocked API thread get 503, and redirects on other connections continue', async () => {
  const rig = openRedirectServerRig()
  rig.blockApi()
  const waiting = [get('/api/a'), post('/api/b', 'hello')].map((request) => {
    const { socket, received } = connectTo(rig.port)
    socket.write(request)
    return received
  })
  await until(() => rig.asked.length === 2)
  for (let second = 0; second < SILENT_SECONDS_MAX; second++) rig.pending.passSecond()
  await until(() => waiting.every(({ hasEnded }) => hasEnded))
  const late = connectTo(rig.port)
  late.socket.write(get('/api/late'))
  await until(() => late.received.hasEnded)
  for (const { text } of [...waiting, late.received]) {
    expect(text).toStartWith('HTTP/1.1 503 Service Unavailable\r\n')
    expect(text).toContain('\r\nRetry-After: 5\r\n')
    expect(text).toContain('\r\nConnection: close\r\n')
  }
  expect(rig.asked).toEqual(['/api/a', '/api/b'])
  const visit = connectTo(rig.port)
  visit.socket.write(get('/one'))
  await until(() => answersIn(visit.received.text).length === 1)
  expect(answersIn(visit.received.text)).toEqual(['/one'])
})

test('a 503 for HEAD has no body', async () => {
  const rig = openRedirectServerRig()
  rig.blockApi()
  const { socket, received } = connectTo(rig.port)
  socket.write(get('/api/a').replace('GET', 'HEAD'))
  await until(() => rig.asked.length === 1)
  for (let second = 0; second < SILENT_SECONDS_MAX; second++) rig.pending.passSecond()
  await until(() => received.hasEnded)
  expect(received.text).toStartWith('HTTP/1.1 503 Service Unavailable\r\n')
  expect(received.text).toEndWith('\r\n\r\n')
})
