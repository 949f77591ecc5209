import { describe, expect, test } from 'bun:test'
import { clientIp, limitKeys, parseTrustedProxies, plainIp } from './client-ip.ts'

const CLIENT = '203.0.113.7'
const PROXY = '10.0.0.1'
const trusted = parseTrustedProxies('10.0.0.0/8, 2001:db8:ffff::/48, loopback')
const nobody = parseTrustedProxies('')

describe('the list of trusted proxies', () => {
  test.each([
    ['192.0.2.1', ['192.0.2.1'], ['192.0.2.2']],
    ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
    ['192.0.2.77/24', ['192.0.2.1'], ['192.0.3.1']],
    ['2001:db8::1', ['2001:db8::1'], ['2001:db8::2']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1']],
    ['::ffff:192.0.2.0/120', ['192.0.2.9'], ['192.0.3.9']],
    ['loopback', ['127.0.0.1', '127.9.9.9', '::1'], ['10.0.0.1', '::2']],
    [' 192.0.2.1 ,, Loopback ', ['192.0.2.1', '::1'], ['192.0.2.2']],
    ['0.0.0.0/0', ['192.0.2.1'], ['2001:db8::1']],
    ['', [], ['127.0.0.1', '::1']],
  ])('%p holds %j and not %j', (text, inside, outside) => {
    const list = parseTrustedProxies(text)
    expect(inside.filter((ip) => !list.includes(ip))).toEqual([])
    expect(outside.filter((ip) => list.includes(ip))).toEqual([])
  })

  test.each([
    ['proxy.example'],
    ['10.0.0.0/33'],
    ['10.0.0.0/'],
    ['10.0.0.0/-1'],
    ['10.0.0.0/8.0'],
    ['10.0.0.0/8/8'],
    ['10.0.0'],
    ['010.0.0.1'],
    ['2001:db8::/129'],
    ['fe80::1%eth0'],
    ['[::1]'],
    ['*'],
  ])('the bad part %p is named', (part) => {
    expect(() => parseTrustedProxies(`10.0.0.1, ${part}`)).toThrow(
      new Error(
        `TRUSTED_PROXIES contains "${part}", which is neither an IP address, a CIDR block nor the word loopback.`,
      ),
    )
  })
})

describe('the client behind a trusted proxy', () => {
  test.each([
    ['is the only hop', CLIENT, CLIENT],
    ['is the right-most hop that is not trusted', `1.2.3.4, ${CLIENT}, 10.9.9.9`, CLIENT],
    ['is not what the client itself put in front', `127.0.0.1, 10.0.0.5, ${CLIENT}`, CLIENT],
    ['is the left-most proxy when all hops are trusted', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['is the last trusted address before garbage', `${CLIENT}, unknown, 10.2.2.2`, '10.2.2.2'],
    ['is the peer when the right-most hop is garbage', `${CLIENT}, <script>`, PROXY],
    ['is the peer when the header is empty', '', PROXY],
    ['is read without a port', `${CLIENT}:52011`, CLIENT],
    ['is read without brackets', '[2001:db8::7]', '2001:db8::7'],
    ['is read without brackets and port', '[2001:db8::7]:443', '2001:db8::7'],
    ['is IPv4 where IPv6 wraps it', '::ffff:203.0.113.7', CLIENT],
    ['is IPv4 where IPv6 wraps it in hexadecimals', '::FFFF:CB00:7107', CLIENT],
    ['is found behind a proxy of the other family', `${CLIENT}, 2001:db8:ffff::9`, CLIENT],
    ['is in its short spelling', '2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
  ])('%s', (_, forwardedFor, client) => {
    expect(clientIp(PROXY, forwardedFor, trusted)).toBe(client)
  })

  test('is found when the peer itself is IPv4 wrapped in IPv6', () => {
    expect(clientIp('::ffff:10.0.0.1', CLIENT, trusted)).toBe(CLIENT)
  })

  test('is the peer when the proxy sent no header', () => {
    expect(clientIp(PROXY, null, trusted)).toBe(PROXY)
  })

  test('is looked for in the last 32 hops only', () => {
    const proxies = (count: number) => Array<string>(count).fill('10.2.2.2').join(',')
    expect(clientIp(PROXY, `${CLIENT},${proxies(31)}`, trusted)).toBe(CLIENT)
    expect(clientIp(PROXY, `${CLIENT},${proxies(32)}`, trusted)).toBe('10.2.2.2')
  })
})

describe('without a trusted proxy', () => {
  test('the peer is the client whatever the header says', () => {
    expect(clientIp(CLIENT, '1.2.3.4', trusted)).toBe(CLIENT)
    expect(clientIp('127.0.0.1', '1.2.3.4', nobody)).toBe('127.0.0.1')
  })

  test('a peer in two spellings is one client', () => {
    expect(clientIp('::ffff:203.0.113.7', null, nobody)).toBe(CLIENT)
  })

  test('a peer that is no address is given back as it is', () => {
    expect(clientIp('', '1.2.3.4', trusted)).toBe('')
  })
})

test.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['::ffff:203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48', '2001:db8::/32']],
  ['2001:DB8:1:2ab::9', ['2001:db8:1:2ab::/64', '2001:db8:1:200::/56', '2001:db8:1::/48', '2001:db8::/32']],
  [
    '2001:db8:1:cdef::9',
    ['2001:db8:1:cdef::/64', '2001:db8:1:cd00::/56', '2001:db8:1::/48', '2001:db8::/32'],
  ],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48', '2001:db8::/32']],
  ['1::4:5:6:7:8', ['1:0:0:4::/64', '1:0:0:0::/56', '1:0:0::/48', '1:0::/32']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48', '0:0::/32']],
  ['1:2:3::', ['1:2:3:0::/64', '1:2:3:0::/56', '1:2:3::/48', '1:2::/32']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48', 'fe80:0::/32']],
  ['not an address', ['not an address']],
])('a limiter counts %s under %p', (ip, keys) => {
  expect(limitKeys(ip).map(({ key }) => key)).toEqual(keys)
})

test('a wider network has a multiple of what the one in it has', () => {
  expect(limitKeys('2001:db8::1').map(({ times }) => times)).toEqual([1, 4, 16, 256])
  expect(limitKeys('203.0.113.7').map(({ times }) => times)).toEqual([1, 16])
})

test.each([
  [''],
  ['1.2.3'],
  ['1.2.3.256'],
  ['01.2.3.4'],
  [' 1.2.3.4'],
  ['1.2.3.4/8'],
  ['::1::'],
  ['::1]@evil/'],
  ['%'],
])('%p is no address', (text) => {
  expect(plainIp(text)).toBe('')
})
