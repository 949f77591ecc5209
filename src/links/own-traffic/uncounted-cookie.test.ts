import { expect, test } from 'bun:test'
import { countedCookie, isUncounted, uncountedCookie } from './uncounted-cookie.ts'

const ONE = { workspaceId: 1, key: 'key of one' }
const ELEVEN = { workspaceId: 11, key: 'key of eleven' }
const HTTPS = { isSecure: true }

test('a cookie is for its workspace, and says how it is kept', () => {
  const cookie = uncountedCookie('', ONE, HTTPS)
  expect(cookie).toMatch(
    /^tern_uncounted=1\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(isUncounted(sent(cookie), ONE)).toBe(true)
  expect(isUncounted(sent(cookie), { ...ONE, key: 'another key' })).toBe(false)
  expect(isUncounted(sent(cookie), ELEVEN)).toBe(false)
  expect(countedCookie({ isSecure: false })).toBe(
    'tern_uncounted=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  )
})

test('a browser is excluded from ten workspaces at most, and the latest stay', () => {
  let cookie = ''
  for (let workspaceId = 1; workspaceId <= 12; workspaceId++)
    cookie = sent(uncountedCookie(`a=b; ${cookie}`, { workspaceId, key: 'key' }, HTTPS))
  const excluded = Array.from({ length: 12 }, (_, at) => at + 1).filter((workspaceId) =>
    isUncounted(cookie, { workspaceId, key: 'key' }),
  )
  expect(excluded).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(sent(uncountedCookie(cookie, { workspaceId: 12, key: 'key' }, HTTPS))).toBe(cookie)
})

test('cookies of the same name that another subdomain has set do not hide the right one', () => {
  const right = sent(uncountedCookie('', ONE, HTTPS))
  const wrong = [
    `tern_uncounted=1.${'A'.repeat(43)}`,
    'tern_uncounted=',
    'tern_uncounted=~~',
    'tern_uncounted=1.x',
  ]
  expect(isUncounted([...wrong, right].join('; '), ONE)).toBe(true)
  expect(isUncounted(wrong.join('; '), ONE)).toBe(false)
})

const sent = (cookie: string) => cookie.split(';')[0]!
