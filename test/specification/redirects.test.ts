import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  GOOGLEBOT,
  makeLink,
  open,
  refusal,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const NOT_FOUND = { status: 404, body: refusal('link_not_found', 'Link not found.') }
const SWITCHED_OFF = { status: 404, body: refusal('link_disabled', 'This link is disabled.') }

describe('a short URL', () => {
  test('returns a 302 that may not be stored or indexed', async () => {
    const { short_code } = await makeLink(rig, caller)
    const { status, headers, text } = await open(rig, short_code)
    expect([status, text]).toEqual([302, ''])
    expect(headers.get('location')).toBe(DESTINATION)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('opens with what people and mail programs add to it, counted as any click, and its query is kept', async () => {
    const { short_code } = await makeLink(rig, caller, { forward_query: true })
    for (const added of ['/', '.', ',', ')', '%20', '%E2%80%8B', '/?a=b']) {
      const { status, headers } = await open(rig, `${short_code}${added}`)
      expect([added, status, headers.get('location')]).toEqual([
        added,
        302,
        `${DESTINATION}${added.endsWith('b') ? '?a=b' : ''}`,
      ])
    }
    expect(await counted(short_code, 7)).toEqual({ clicks: 7, bots: 0 })
  })

  test('has the same headers for HEAD', async () => {
    const { short_code } = await makeLink(rig, caller)
    const head = await rig.call('HEAD', `/${short_code}`)
    const get = await open(rig, short_code)
    expect([head.status, head.text]).toEqual([302, ''])
    expect(withoutDate(head.headers)).toEqual(withoutDate(get.headers))
  })

  test('does not pass its query on, least of all a key', async () => {
    const { short_code } = await makeLink(rig, caller, { original_url: `${DESTINATION}?mine=1` })
    const { status, headers } = await rig.call('GET', `/${short_code}?api_key=${caller.key}&a=b`)
    expect([status, headers.get('location')]).toEqual([302, `${DESTINATION}?mine=1`])
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not accept %s', async (method) => {
    const { short_code } = await makeLink(rig, caller)
    for (const code of [short_code, 'never-made']) {
      const answer = await rig.call(method, `/${code}`)
      expect(statusAndBody(answer)).toEqual({
        status: 405,
        body: refusal('method_not_allowed', 'A short URL can only be opened with GET or HEAD.'),
      })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
    await open(rig, short_code)
    expect(await counted(short_code, 1)).toEqual({ clicks: 1, bots: 0 })
  })
})

describe('a short URL that leads nowhere', () => {
  const unknown = ['never-made', 'x', 'a.b', 'never-made/x', '%C3%A9', 'api-keys', '1'.repeat(65)]
  test.each(unknown)('is 404 for programs and a page for browsers: /%s', async (path) => {
    const program = await rig.call('GET', `/${path}`, { headers: { Accept: '*/*' } })
    expect([program.status, program.body.success, program.body.errors]).toEqual([404, false, {}])
    const user = await rig.call('GET', `/${path}`, { headers: PAGE })
    expect([user.status, user.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(user.text).toStartWith('<!doctype html>')
  })

  test('may not be stored when it could be a code', async () => {
    for (const headers of [PAGE, { Accept: 'application/json' }]) {
      const answer = await rig.call('GET', '/never-made', { headers })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    }
    expect(statusAndBody(await rig.call('GET', '/never-made'))).toEqual(NOT_FOUND)
  })

  test('is an inactive one: 404 for programs, a page for browsers, and no click', async () => {
    const { short_code } = await makeLink(rig, caller, { is_active: false })
    const program = await open(rig, short_code)
    expect(statusAndBody(program)).toEqual(SWITCHED_OFF)
    expect(program.headers.get('cache-control')).toBe('private, no-store')
    expect(program.headers.get('location')).toBeNull()
    const user = await open(rig, short_code, PAGE)
    expect([user.status, user.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
    expect(user.text).toContain('<h1>This link is disabled</h1>')
    expect(user.text).not.toContain(DESTINATION)
    await change(short_code, { is_active: true })
    await open(rig, short_code)
    expect(await counted(short_code, 1)).toEqual({ clicks: 1, bots: 0 })
  })
})

describe('a change takes effect with the next request', () => {
  test('of the destination', async () => {
    const { short_code } = await makeLink(rig, caller)
    for (let i = 0; i < 20; i++) {
      await change(short_code, { original_url: `${DESTINATION}?${i}` })
      expect((await open(rig, short_code)).headers.get('location')).toBe(`${DESTINATION}?${i}`)
    }
  })

  test('of the state', async () => {
    const { short_code } = await makeLink(rig, caller)
    for (const is_active of [false, true, false, true]) {
      await change(short_code, { is_active })
      expect((await open(rig, short_code)).status).toBe(is_active ? 302 : 404)
    }
  })

  test('when the link is deleted for good, and when its code is claimed again', async () => {
    const { short_code } = await makeLink(rig, caller)
    await open(rig, short_code)
    await rig.call('DELETE', `/api/links/${short_code}`, { key: caller.key })
    expect(statusAndBody(await open(rig, short_code))).toEqual(NOT_FOUND)
    await rig.call('DELETE', `/api/trash/${short_code}`, { key: caller.key })
    await makeLink(rig, caller, { custom_code: short_code, original_url: `${DESTINATION}?anew` })
    expect((await open(rig, short_code)).headers.get('location')).toBe(`${DESTINATION}?anew`)
  })

  test('when a code that was just unknown is created', async () => {
    expect((await open(rig, 'asked-before')).status).toBe(404)
    await makeLink(rig, caller, { custom_code: 'asked-before' })
    expect((await open(rig, 'asked-before')).status).toBe(302)
  })
})

describe('a click', () => {
  const clicks: [who: string, headers: Record<string, string>][] = [
    ['a browser', { 'User-Agent': FIREFOX }],
    ['curl', { 'User-Agent': 'curl/8.5.0' }],
    ['Python', { 'User-Agent': 'python-requests/2.32.0' }],
    ['Node.js', { 'User-Agent': 'node' }],
    ['a program that says nothing of itself', { 'User-Agent': '' }],
    ['someone who asks not to be tracked', { 'User-Agent': FIREFOX, 'Sec-GPC': '1', DNT: '1' }],
  ]
  test.concurrent.each(clicks)('is every GET from %s, repeated or not', async (_who, headers) => {
    const { short_code } = await makeLink(rig, caller)
    for (let i = 0; i < 3; i++) expect((await open(rig, short_code, headers)).status).toBe(302)
    expect(await counted(short_code, 3)).toEqual({ clicks: 3, bots: 0 })
  })

  const bots: [name: string, userAgent: string][] = [
    ['Googlebot', GOOGLEBOT],
    ['facebookexternalhit', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Slackbot', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    [
      'GPTBot',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    ],
  ]
  test.concurrent.each(bots)('from %s is redirected, and counted as a bot', async (_name, userAgent) => {
    const { short_code } = await makeLink(rig, caller)
    expect((await open(rig, short_code, { 'User-Agent': userAgent })).status).toBe(302)
    expect(await counted(short_code, 1)).toEqual({ clicks: 0, bots: 1 })
    const { body } = await rig.call('GET', `/api/links/${short_code}`, { key: caller.key })
    expect(body.data.click_count).toBe(0)
  })

  const prefetches: Record<string, string>[] = [
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'Prefetch;prerender' },
    { Purpose: 'prefetch' },
    { 'X-Moz': 'prefetch' },
  ]
  test.concurrent.each(prefetches)('is not a HEAD or a prefetch: %j', async (headers) => {
    const { short_code } = await makeLink(rig, caller)
    expect((await open(rig, short_code, headers)).status).toBe(302)
    expect((await rig.call('HEAD', `/${short_code}`)).status).toBe(302)
    await open(rig, short_code)
    expect(await counted(short_code, 1)).toEqual({ clicks: 1, bots: 0 })
  })
})

const change = (code: string, body: unknown) =>
  rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const withoutDate = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'content-length'))

/** The clicks and bots of a link once as many as `wanted` are counted; clicks are counted in their order. */
async function counted(code: string, wanted: number) {
  const ask = () => rig.call('GET', `/api/analytics/links/${code}`, { key: caller.key })
  const { data } = (
    await eventually(ask, ({ body }) => body.data.total_clicks + body.data.bot_clicks >= wanted)
  ).body
  return { clicks: data.total_clicks, bots: data.bot_clicks }
}
