import { describe, expect, test } from 'bun:test'
import { hasPasswordCookie, passwordCookie } from './password-cookie.ts'

const NOW_US = 1_795_262_400_000_000
const HOURS_12_US = 12 * 3_600_000_000
const LINK = { linkId: 7, passwordKey: 'key' }

describe('the cookie of a link with a password', () => {
  const set = passwordCookie(LINK, { code: 'hello', isSecure: true, nowUs: NOW_US })
  const [pair = ''] = set.split(';')
  const isGood = (header: string | null, { link = LINK, nowUs = NOW_US } = {}) =>
    hasPasswordCookie(header, link, nowUs)

  test('is for this short URL, for half a day, and out of reach of scripts and other sites', () => {
    const rest = set.slice(pair.length)
    expect(rest).toBe('; Path=/hello; Max-Age=43200; HttpOnly; SameSite=Lax; Secure')
    expect(passwordCookie(LINK, { code: 'hello', isSecure: false, nowUs: NOW_US })).toEndWith('SameSite=Lax')
  })

  test('is good among others until it ends', () => {
    expect(isGood(`a=b; ${pair}; link-passwords=1`)).toBe(true)
    expect(isGood(`link-password=; link-password=x.y;${pair}`)).toBe(true)
    expect(isGood(pair, { nowUs: NOW_US + HOURS_12_US - 1 })).toBe(true)
    expect(isGood(pair, { nowUs: NOW_US + HOURS_12_US })).toBe(false)
  })

  test('is worth nothing for another link, with another password, or with a changed sign', () => {
    expect(isGood(pair, { link: { ...LINK, linkId: 8 } })).toBe(false)
    expect(isGood(pair, { link: { ...LINK, passwordKey: 'other' } })).toBe(false)
    const [name = '', value = ''] = pair.split('=')
    const [end = '', signature = ''] = value.split('.')
    expect(isGood(`${name}=${Number(end) + 1}.${signature}`)).toBe(false)
    const flipped = signature[0] === 'A' ? 'B' : 'A'
    for (const bad of [`${end}.${flipped}${signature.slice(1)}`, `${end}.`, end, '', `${end}.${signature}x`])
      expect(isGood(`${name}=${bad}`)).toBe(false)
    expect(isGood(`Link-Password=${value}`)).toBe(false)
    expect([isGood(null), isGood('')]).toEqual([false, false])
  })

  test('is found behind as many forged ones as a request has room for', () => {
    const forged = pair.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`)
    expect(isGood(`${`${forged}; `.repeat(220)}${pair}`)).toBe(true)
    expect(isGood(`${`${forged}; `.repeat(220)}`)).toBe(false)
  })

  test('is found behind any number of others that could not be right', () => {
    const ended = `link-password=1.${'A'.repeat(43)}`
    const tooLate = `link-password=${NOW_US / 1_000_000 + 43_201}.${'A'.repeat(43)}`
    for (const wrong of ['link-password=x', ended, tooLate])
      expect(isGood(`${`${wrong}; `.repeat(300)}${pair}`)).toBe(true)
  })
})
