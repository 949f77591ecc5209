import { describe, expect, test } from 'bun:test'
import { checkBaseUrl } from './check-base-url.ts'

const BEHIND_A_PROXY = {
  baseUrl: 'https://s.example.com',
  host: '0.0.0.0',
  port: 3000,
  trustedProxies: '10.0.0.5',
}

const WELL = ['address: ok', 'proxies: ok']

describe('the address', () => {
  test('behind a proxy that is named is well', () => {
    expect(verdicts({})).toEqual(WELL)
    expect(verdicts({ trustedProxies: 'loopback, 10.0.0.0/8, fd00::/16' })).toEqual(WELL)
  })

  test('with https and no proxy named is a fault: all visitors seem to come from the proxy', () => {
    expect(verdicts({ trustedProxies: '' })).toEqual(['address: ok', 'proxies: fault'])
  })

  test.each([['0.0.0.0/0'], ['::/0'], ['10.0.0.5, 64.0.0.0/2'], ['2000::/3']])(
    'with %s for a proxy is a fault: anybody may say where they come from',
    (trustedProxies) => {
      expect(verdicts({ trustedProxies })).toEqual(['address: ok', 'proxies: fault'])
      // Where only this machine can connect at all, nobody else is in there.
      expect(verdicts({ trustedProxies, host: '127.0.0.1' })).toEqual(WELL)
    },
  )

  test.each([['http://localhost:3000'], ['http://192.168.0.7'], ['https://tern.internal']])(
    '%s is reached on this machine or network only',
    (baseUrl) => {
      expect(verdicts({ baseUrl })[0]).toBe('address: warning')
    },
  )

  test('without https is a warning, and so is a port on which nobody answers', () => {
    expect(verdicts({ baseUrl: 'http://s.example.com' })).toEqual(['address: warning', 'proxies: ok'])
    const direct = { baseUrl: 'http://s.example.com', trustedProxies: '' }
    expect(verdicts({ ...direct, port: 80 })).toEqual(['address: warning', 'proxies: ok'])
    expect(verdicts(direct)).toEqual(['address: warning', 'address: warning', 'proxies: ok'])
  })
})

const verdicts = (changes: Partial<typeof BEHIND_A_PROXY>) =>
  checkBaseUrl({ ...BEHIND_A_PROXY, ...changes }).map(
    ({ check, severity: verdict }) => `${check}: ${verdict}`,
  )
