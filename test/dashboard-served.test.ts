import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ServiceRig, startServiceRig } from './rigs/service-rig.ts'

let rig: ServiceRig

beforeAll(async () => {
  rig = await startServiceRig()
})

afterAll(() => rig.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(rig.url + path, { headers })

test('the service serves the dashboard under its own policy, nothing kept but what is named by its content', async () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/links/launch?period=7d']) {
    const page = await get(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect([page.headers.get('cache-control'), page.headers.get('set-cookie')]).toEqual(['no-cache', null])
  }
})

test('its script comes compressed, may be kept for good, and is not sent twice', async () => {
  const page = await (await get('/dashboard')).text()
  const script = /<script[^>]* src="([^"]+)"/.exec(page)![1]!
  const answer = await get(script, { 'Accept-Encoding': 'br' })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await answer.text()).toContain('/dashboard/api')
  const again = await get(script, { 'Accept-Encoding': 'br', 'If-None-Match': answer.headers.get('etag')! })
  expect(again.status).toBe(304)
  const head = await fetch(rig.url + script, { method: 'HEAD' })
  expect([head.status, (await head.bytes()).length]).toEqual([200, 0])
})

test('what is not there is not found, as a page or as data', async () => {
  const gone = await get('/dashboard/assets/index-00000000.js', { Accept: '*/*' })
  expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  const endpoint = await get('/dashboard/api/nothing', { Accept: 'text/html' })
  expect([endpoint.status, endpoint.headers.get('content-security-policy')]).toEqual([
    404,
    "default-src 'none'; frame-ancestors 'none'",
  ])
})
