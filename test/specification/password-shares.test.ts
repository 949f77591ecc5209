import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PASSWORD = 'Sésame, ouvre-toi'
const HEADING = '<h1>These statistics need a password</h1>'
let networks = 0

describe('shared statistics with a password', () => {
  test('ask for it, and show nothing before', async () => {
    const { path, code } = await protectedPage()
    for (const [method, fields] of [
      ['GET', undefined],
      ['POST', {}],
      ['POST', { range: '7d' }],
      ['POST', { token: `9999999999.${'A'.repeat(43)}` }],
    ] as const) {
      const { status, text, headers } = await request(method, path, fields)
      expect([status, text.includes(HEADING)]).toEqual([403, true])
      expect(text).not.toContain(code)
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('are shown for an hour to who has entered it, without a cookie, and with ranges that are buttons', async () => {
    const { path, code } = await protectedPage()
    const entered = await request('POST', path, { password: PASSWORD.normalize('NFD') })
    expect([entered.status, entered.headers.get('set-cookie')]).toEqual([200, null])
    expect(entered.text).toContain(code)
    expect(entered.text).toContain('<button name="range" value="30d" aria-current="true">')
    const token = tokenIn(entered.text)
    const week = await request('POST', path, { token, range: '7d' })
    expect(week.status).toBe(200)
    expect(week.text).toContain('<button name="range" value="7d" aria-current="true">')
    expect(tokenIn(week.text)).toBe(token)
    expect((await request('GET', path)).status).toBe(403)
    expect((await request('GET', `${path}?token=${token}`)).status).toBe(403)
  })

  test('open with no token of another page, of the password before or of the URL before', async () => {
    const { path, api } = await protectedPage()
    const tokenOf = async (page: string) =>
      tokenIn((await request('POST', page, { password: PASSWORD })).text)
    const opens = async (page: string, token: string) => (await request('POST', page, { token })).status
    const [token, foreign] = [await tokenOf(path), await tokenOf((await protectedPage()).path)]
    expect([await opens(path, token), await opens(path, foreign)]).toEqual([200, 403])
    const { url } = (await send('POST', `${api}/reset`)).body.data
    const newPath = new URL(url).pathname
    expect([await opens(path, token), await opens(newPath, token)]).toEqual([404, 403])
    const newToken = await tokenOf(newPath)
    await send('PUT', api, { password: PASSWORD })
    expect(await opens(newPath, newToken)).toBe(403)
    await send('PUT', api, { password: null })
    expect((await request('GET', newPath)).status).toBe(200)
  })

  test('count wrong passwords of a network, and then refuse the right one too', async () => {
    const { path } = await protectedPage()
    const ip = `198.51.100.${++networks}`
    for (let left = 9; left > 0; left--) {
      const { status, text } = await request('POST', path, { password: 'wrong' }, ip)
      expect(status).toBe(403)
      expect(text).toContain(left === 1 ? '1 attempt is left.' : `${left} attempts are left.`)
    }
    for (const password of ['wrong', PASSWORD]) {
      const { status, text, headers } = await request('POST', path, { password }, ip)
      expect(status).toBe(429)
      expect(text).toMatch(/Too many attempts\. Try again in (?:1 minute|\d+ minutes)\./)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await request('POST', path, { password: PASSWORD })).status).toBe(200)
  })

  test('take no password that another site sends, and none that is too large', async () => {
    const { path } = await protectedPage()
    const ip = `198.51.100.${++networks}`
    const body = new URLSearchParams({ password: PASSWORD }).toString()
    const foreign = { 'Content-Type': FORM, 'Sec-Fetch-Site': 'cross-site', 'X-Forwarded-For': ip }
    for (let i = 0; i < 20; i++)
      expect((await rig.call('POST', path, { headers: foreign, body })).status).toBe(403)
    const large = await request('POST', path, { password: 'x'.repeat(5_000) }, ip)
    expect([large.status, large.text.includes('9 attempts are left.')]).toEqual([403, true])
    const json = await rig.call('POST', path, { body: { password: PASSWORD } })
    expect(json.status).toBe(403)
  })
})

const FORM = 'application/x-www-form-urlencoded'

const send = (method: string, path: string, body?: object) =>
  rig.call(method, path, { key: caller.key, ...(body === undefined ? {} : { body }) })

function request(
  method: 'GET' | 'POST',
  path: string,
  fields?: Record<string, string>,
  ip = `203.0.113.${++networks}`,
) {
  const headers = { 'X-Forwarded-For': ip, Accept: 'text/html' }
  if (fields === undefined) return rig.call(method, path, { headers })
  const form = { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }
  return rig.call(method, path, {
    headers: { ...headers, ...form },
    body: new URLSearchParams(fields).toString(),
  })
}

async function protectedPage() {
  const { short_code: code } = await makeLink(rig, caller)
  const api = `/api/links/${code}/share`
  const { body } = await send('POST', api, { password: PASSWORD })
  return { code, api, path: new URL(body.data.url).pathname }
}

const tokenIn = (page: string) => /<input type="hidden" name="token" value="([^"]+)"/.exec(page)![1]!
