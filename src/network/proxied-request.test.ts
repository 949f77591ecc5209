import { expect, test } from 'bun:test'
import { parseTrustedProxies } from './client-ip.ts'
import { isOwnRequestOf } from './proxied-request.ts'

const proxies = parseTrustedProxies('loopback, 10.0.0.0/8')
const isOwn = (peer: string, headers: Record<string, string> = {}) =>
  isOwnRequestOf(proxies, { peer, header: (name) => headers[name] })

test('a request of a proxy itself comes from its address, in any spelling', () => {
  for (const peer of ['127.0.0.1', '::ffff:127.0.0.1', '::1', '10.1.2.3']) expect(isOwn(peer)).toBe(true)
  for (const peer of ['8.8.8.8', '', 'unknown', '2001:db8::1']) expect(isOwn(peer)).toBe(false)
})

test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])(
  'a request with %s is that of a visitor, even if the header is empty',
  (name) => {
    expect(isOwn('127.0.0.1', { [name]: '8.8.8.8' })).toBe(false)
    expect(isOwn('127.0.0.1', { [name]: '' })).toBe(false)
  },
)
