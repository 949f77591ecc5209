import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '../../test/rigs/free-port.ts'
import { clientOf, getText } from '../../test/rigs/outside/guarded-client-rig.ts'
import {
  type PageServer,
  PRIVATE_IP,
  PUBLIC_IP,
  redirectTo,
  startPageServer,
} from '../../test/rigs/outside/page-server.ts'
import { Blocks } from '../links/destinations/blocks.ts'
import { WEB_PORTS } from './guarded-client.ts'

let server: PageServer
/** On the server's own network. */
let inside: PageServer

beforeAll(startServers)
beforeEach(() => {
  server.requests.length = 0
})
afterAll(stopServers)

describe('a request', () => {
  test('goes to the address of the name, under the name, and says who asks', async () => {
    server.serve('/page?a=b', 'Hello')
    const asked: string[] = []
    const resolve = async (name: string) => (asked.push(name), [PUBLIC_IP])
    const url = `http://shop.example.:${server.port}/page?a=b#part`
    expect(await getText(url, clientOf({ resolve }))).toEqual({ url, status: 200, text: 'Hello' })
    expect(asked).toEqual(['shop.example'])
    const [{ method, headers }] = server.requests as [(typeof server.requests)[0]]
    expect({ method, headers }).toEqual({
      method: 'GET',
      headers: {
        'user-agent': 'Tern/1.2.3 (+https://s.example)',
        accept: 'text/html',
        'accept-encoding': 'gzip, deflate, br',
        host: `shop.example:${server.port}`,
        connection: 'close',
      },
    })
  })

  test('keeps no cookies', async () => {
    server.serve('/cookie', (_, response) =>
      response.writeHead(302, { Location: '/after', 'Set-Cookie': 'a=b' }).end(),
    )
    server.serve('/after', 'Hello')
    await getText(server.url('/cookie'))
    expect(server.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
  })

  test('ignores the proxies of the environment', async () => {
    server.serve('/direct', 'Hello')
    const proxies = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: inside.url('/'), http_proxy: inside.url('/') }
    Object.assign(process.env, proxies)
    const answer = await getText(server.url('/direct'))
    for (const name of Object.keys(proxies)) delete process.env[name]
    expect(answer).toMatchObject({ status: 200 })
  })

  test('is not sent to hosts that links may not lead to', async () => {
    const blocks = new Blocks()
    blocks.replace({ hosts: ['evil.example'], workspaceIds: [], closedWorkspaceIds: [] })
    const urls = [
      'https://s.example/abc',
      'http://www.evil.example/',
      'file:///etc/hostname',
      'http://a:b@shop.example/',
    ]
    const destinationRules = { ownHosts: new Set(['s.example']), allowPrivate: true, blocks }
    const client = clientOf({ destinationRules })
    for (const url of urls) expect(await getText(url, client)).toEqual({ url, failure: 'refused' })
    expect(server.requests).toEqual([])
  })
})

describe('an address that is not public', () => {
  const spellings = [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '127.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    'localhost',
    'db.internal',
    'intranet',
  ]

  test.each(spellings)('is not connected to: %s', async (host) => {
    const url = `http://${host}:${inside.port}/`
    expect(await getText(url)).toEqual({ url, failure: 'no-public-address' })
  })

  test('is not connected to in digits of other scripts', async () => {
    expect(await getText(`http://①②⑦.0.0.1:${inside.port}/`)).toMatchObject({ failure: 'no-public-address' })
  })

  test.each(spellings)('is not reached by a redirect: %s', async (host) => {
    const url = `http://${host}:${inside.port}/`
    server.serve('/redirect', redirectTo(url))
    expect((await getText(server.url('/redirect'))).failure).toBe('no-public-address')
  })

  const answers: [what: string, addresses: string[]][] = [
    ['a private address', [PRIVATE_IP]],
    ['a public and a private address', [PUBLIC_IP, PRIVATE_IP]],
    ['a mapped address', [`::ffff:${PRIVATE_IP}`]],
    ['an address with a zone', ['fe80::1%lo']],
    ['nothing', []],
  ]
  test.each(answers)('is not reached by a name that has %s', async (_, addresses) => {
    const url = `http://shop.example:${inside.port}/`
    const answer = await getText(url, clientOf({ resolve: async () => addresses }))
    expect(answer).toEqual({ url, failure: 'no-public-address' })
  })

  test('is not reached by a name that changes its address after the check', async () => {
    server.serve('/rebound', redirectTo(`http://shop.example:${inside.port}/`))
    const addresses = [PUBLIC_IP, PRIVATE_IP]
    const resolve = async () => [addresses.shift()!]
    const url = `http://shop.example:${server.port}/rebound`
    expect(await getText(url, clientOf({ resolve }))).toMatchObject({ failure: 'no-public-address' })
    // One answer for each connection, and no other.
    expect(addresses).toEqual([])
  })
})

describe('a redirect', () => {
  test('is followed five times', async () => {
    for (let hop = 0; hop < 5; hop++) server.serve(`/hop${hop}`, redirectTo(`hop${hop + 1}`))
    server.serve('/hop5', 'Here')
    expect(await getText(server.url('/hop0'))).toEqual({
      url: server.url('/hop5'),
      status: 200,
      text: 'Here',
    })
    server.serve('/hop5', redirectTo('/hop6'))
    expect(await getText(server.url('/hop0'))).toEqual({ url: server.url('/hop6'), failure: 'refused' })
    expect(server.requests.map(({ url }) => url)).not.toContain('/hop6')
  })

  test('to itself ends', async () => {
    server.serve('/loop', redirectTo('/loop'))
    expect(await getText(server.url('/loop'))).toMatchObject({ failure: 'refused' })
    expect(server.requests).toHaveLength(6)
  })

  test('to another scheme or to no URL is refused', async () => {
    for (const location of [
      'file:///etc/hostname',
      'javascript:alert(1)',
      'http://[',
      'ftp://shop.example/',
    ]) {
      server.serve('/odd', redirectTo(location))
      expect(await getText(server.url('/odd'))).toMatchObject({ failure: 'refused' })
    }
  })

  test('that leads nowhere is the answer', async () => {
    server.serve('/302', (_, response) => response.writeHead(302).end('Nothing'))
    expect(await getText(server.url('/302'))).toMatchObject({ status: 302, text: 'Nothing' })
  })
})

describe('a port', () => {
  test('that is none of web servers is not connected to, by URL or by redirect', async () => {
    const isAllowedPort = (port: number) => WEB_PORTS.includes(port)
    const client = clientOf({ isAllowedPort })
    const before = server.requests.length
    expect(await getText(server.url('/'), client)).toMatchObject({ failure: 'port' })
    expect(await getText('https://shop.example:22/', client)).toMatchObject({ failure: 'port' })
    expect(server.requests).toHaveLength(before)
    const start = server.serve('/to-ssh', redirectTo('http://shop.example:22/'))
    const onlyOwn = clientOf({ isAllowedPort: (port) => port === server.port })
    expect(await getText(start, onlyOwn)).toEqual({ url: 'http://shop.example:22/', failure: 'port' })
    expect(
      await client.certificateOf('https://shop.example:22', new AbortController().signal),
    ).toBeUndefined()
    // Those without a number in the URL are what their scheme says.
    const resolve = async () => []
    for (const url of ['http://shop.example', 'https://shop.example', 'http://shop.example:8443/'])
      expect(await getText(url, clientOf({ isAllowedPort, resolve }))).toMatchObject({
        failure: 'no-public-address',
      })
  })

  test('that is closed, silent or speaks another protocol is unreachable', async () => {
    const silent = createServer(() => {})
    const ssh = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n'))
    const listen = (one: typeof ssh) =>
      new Promise<number>((resolve) =>
        one.listen(0, PUBLIC_IP, () => resolve((one.address() as AddressInfo).port)),
      )
    const ports = [await listen(silent), await listen(ssh), freePort()]
    const answers = await Promise.all(
      ports.map((port) => getText(`http://shop.example:${port}/`, clientOf({ timeoutMs: 300 }))),
    )
    expect(answers.map(({ failure }) => failure)).toEqual(['unreachable', 'unreachable', 'unreachable'])
    silent.close()
    ssh.close()
  })
})

async function startServers(): Promise<void> {
  server = await startPageServer()
  inside = await startPageServer(PRIVATE_IP)
}

async function stopServers(): Promise<void> {
  // Whatever was tried.
  expect(inside.requests).toEqual([])
  await server.stop()
  await inside.stop()
}
