import { expect, test } from 'bun:test'
import { useServiceRig } from './rigs/service/service-rig.ts'

const rig = useServiceRig()

const get = (path: string, headers: Record<string, string> = {}) => fetch(rig.url + path, { headers })

test('the service serves the dashboard with its own policy, and only files named by their hash are cached', async () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/links/launch?period=7d']) {
    const page = await get(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect([page.headers.get('cache-control'), page.headers.get('set-cookie')]).toEqual(['no-cache', null])
  }
})

test('its script is compressed, immutable, and not sent twice', async () => {
  const page = await (await get('/dashboard')).text()
  const script = /<script[^>]* src="([^"]+)"/.exec(page)![1]!
  const answer = await get(script, { 'Accept-Encoding': 'br' })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await answer.text()).toContain('/dashboard/assets/app-')
  const again = await get(script, { 'Accept-Encoding': 'br', 'If-None-Match': answer.headers.get('etag')! })
  expect(again.status).toBe(304)
  const head = await fetch(rig.url + script, { method: 'HEAD' })
  expect([head.status, (await head.bytes()).length]).toEqual([200, 0])
})

test('missing paths are 404, as a page or as JSON', async () => {
  const gone = await get('/dashboard/assets/index-00000000.js', { Accept: '*/*' })
  expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  const endpoint = await get('/dashboard/api/nothing', { Accept: 'text/html' })
  expect([endpoint.status, endpoint.headers.get('content-security-policy')]).toEqual([
    404,
    "default-src 'none'; frame-ancestors 'none'",
  ])
})
