import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  invalid,
  makeLink,
  open,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PAGE = { Accept: 'text/html' }
const PASSWORD = 'open sesame'

describe('a path behind a code', () => {
  test.each([
    ['/page', '/launch/page', ''],
    ['/page/2/', '/launch/page/2/', ''],
    ['/page?own=2&new=3', '/launch/page', '&new=3'],
    ['//evil.com', '/launch//evil.com', ''],
    ['/@evil.com', '/launch/@evil.com', ''],
    ['/a%2Fb', '/launch/a%2Fb', ''],
    ['/%0d%0aSet-Cookie:a=b', '/launch/%0d%0aSet-Cookie:a=b', ''],
    ['/"<>', '/launch/%22%3C%3E', ''],
    ['/page+', '/launch/page+', ''],
    ['/', '/launch', ''],
    ['/.', '/launch', ''],
    ['', '/launch', ''],
  ])('%s leads on to %s', async (path, expected, query) => {
    const original_url = `${DESTINATION}?own=1#part`
    const code = await forwarding({ original_url, forward_query: true })
    for (const more of SERVERS)
      expect(await rawLocation(`/${code}${path}`, more)).toBe(
        `https://example.com${expected}?own=1${query}#part`,
      )
  })

  test('is read as the URL parser reads it, and never leaves the path of the destination', async () => {
    const code = await forwarding()
    const { short_code: other } = await makeLink(rig, caller, { original_url: `${DESTINATION}/other` })
    for (const [path, location] of [
      ['/a/../page', `${DESTINATION}/page`],
      ['/a/%2e%2E/./page', `${DESTINATION}/page`],
      ['/a\\b', `${DESTINATION}/a/b`],
      [`/../${other}`, `${DESTINATION}/other`],
      ['/..%2F..%2Fpage', undefined],
      ['/a/.%2e%5cpage', undefined],
      ['/../../page', undefined],
    ] as const)
      for (const more of SERVERS)
        expect([path, await rawLocation(`/${code}${path}`, more)]).toEqual([path, location])
  })

  test('that is too long for proxies is left out', async () => {
    const code = await forwarding({ original_url: `https://example.com/${'a'.repeat(4_000)}` })
    expect(await location(code, `/${'b'.repeat(4_000)}`)).toEndWith('/' + 'b'.repeat(4_000))
    expect(await location(code, `/${'b'.repeat(4_400)}`)).toBe(`https://example.com/${'a'.repeat(4_000)}`)
  })

  test('opens aliases, is a click as any other, and is none for HEAD and prefetches', async () => {
    const alias = 'path-alias'
    const { short_code: code, id } = await makeLink(rig, caller, { aliases: [alias], forward_path: true })
    expect(await location(alias, '/page')).toBe(`${DESTINATION}/page`)
    expect(await location(code, '/page?qr')).toBe(`${DESTINATION}/page`)
    const head = await rig.call('HEAD', `/${code}/page`)
    const prefetch = await open(rig, `${code}/page`, { 'Sec-Purpose': 'prefetch' })
    for (const { status, headers } of [head, prefetch])
      expect([status, headers.get('location')]).toEqual([302, `${DESTINATION}/page`])
    await open(rig, code)
    const rows = await eventually(
      () =>
        rig.store.readDb
          .selectFrom('clicks')
          .select(['alias', 'via'])
          .where('link_id', '=', id)
          .orderBy('id')
          .execute(),
      ({ length }) => length >= 3,
    )
    expect(rows).toEqual([
      { alias, via: 'link' },
      { alias: '', via: 'qr' },
      { alias: '', via: 'link' },
    ])
  })

  test('goes to the destinations of rules and splits, and not to the fallback', async () => {
    const code = await forwarding({
      rules: [
        { when: { query: { a: '1' } }, to: 'https://rule.example/x/' },
        {
          when: { query: { a: '2' } },
          split: [
            { to: 'https://split.example/', weight: 1 },
            { to: 'https://split.example/', weight: 1 },
          ],
        },
      ],
      redirect_status: 308,
    })
    expect(await location(code, '/page?a=1')).toBe('https://rule.example/x/page')
    expect(await location(code, '/page?a=2')).toBe('https://split.example/page')
    expect((await open(rig, `${code}/page`)).status).toBe(308)
    const fallback_url = 'https://example.com/over'
    await change(code, { expires_at: '2026-01-01T00:00:00Z', fallback_url })
    expect(await location(code, '/page')).toBe(fallback_url)
    await change(code, { fallback_url: null })
    expect((await open(rig, `${code}/page`)).status).toBe(410)
    await change(code, { is_active: false })
    const page = await open(rig, `${code}/page`, PAGE)
    expect([page.status, page.text.includes('This link is disabled')]).toEqual([404, true])
  })

  test('stays while the visitor enters the password', async () => {
    const code = await forwarding({ password: PASSWORD, forward_query: true })
    const asked = await open(rig, `${code}/page/2?a=b`, PAGE)
    expect(asked.status).toBe(403)
    expect(asked.text).toMatch(/<form class="password-form" method="post"\s*>/)
    const entered = await enter(`/${code}/page/2?a=b`)
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/${code}/page/2?a=b`])
    const cookie = entered.headers.get('set-cookie')!
    expect(cookie).toContain(`Path=/${code};`)
    const opened = await open(rig, `${code}/page/2?a=b`, { Cookie: cookie.split(';')[0]! })
    expect(opened.headers.get('location')).toBe(`${DESTINATION}/page/2?a=b`)
    expect((await enter(`/${await forwarding()}/page`)).status).toBe(405)
  })

  test('spends one opening of a link with a limit', async () => {
    const code = await forwarding({ max_clicks: 1 })
    expect(await location(code, '/page')).toBe(`${DESTINATION}/page`)
    expect((await open(rig, `${code}/other`)).status).toBe(410)
  })

  test('is explained by the endpoint, if the link opens with one', async () => {
    const code = await forwarding()
    const explained = (path: string, which = code) =>
      rig.call('GET', `/api/links/${which}/resolve?path=${encodeURIComponent(path)}`, { key: caller.key })
    expect((await explained('/page')).body.data.url).toBe(`${DESTINATION}/page`)
    for (const path of ['page', '/..', '/%2e%2E/a', '/é', '/a?b', '/a#b'])
      expect(statusAndBody(await explained(path))).toEqual({
        status: 422,
        body: invalid({
          path: ['The path must start with a slash and be percent-encoded, without segments that are dots.'],
        }),
      })
    const { short_code: plain } = await makeLink(rig, caller)
    expect(statusAndBody(await explained('/page', plain))).toEqual({
      status: 422,
      body: invalid({ path: ['The link does not open with a path, because forward_path is false.'] }),
    })
  })
})

describe('a path that no link opens with', () => {
  test('is what it was, whether or not there is a link', async () => {
    const { short_code: code } = await makeLink(rig, caller, { forward_query: true })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const headers of [{}, PAGE]) {
        const [known, unknown] = await Promise.all(
          [code, 'never-made'].map((each) => rig.call(method, `/${each}/page`, { headers })),
        )
        expect([method, known!.status, known!.text.replaceAll(code, 'never-made')]).toEqual([
          method,
          404,
          unknown!.text,
        ])
        expect(known!.headers.get('x-request-id')).toBeString()
      }
  })

  test('opens once the link says so, and not any more once it does not', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    for (const forward_path of [true, false, true, null]) {
      await change(code, { forward_path })
      expect((await open(rig, `${code}/page`)).status).toBe(forward_path ? 302 : 404)
      expect((await open(rig, code)).status).toBe(302)
    }
  })

  test('counts as a code that nobody has', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.77' }
    const { short_code: code } = await makeLink(rig, caller)
    const statuses = []
    for (let i = 0; i < 301; i++)
      statuses.push((await rig.call('GET', `/${i % 2 ? code : 'never-made'}/page`, { headers })).status)
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([300, new Set([404, 429])])
    const { short_code: locked } = await makeLink(rig, caller, { password: PASSWORD })
    expect((await enter(`/${locked}/page`, headers)).status).toBe(429)
    const opened = await open(rig, `${await forwarding()}/page`, headers)
    expect(opened.status).toBe(302)
  })

  test.each(['/dashboard/links', '/assets/nothing.js', '/qr/never-made', '/report/never-made'])(
    'is a page of ours as before: %s',
    async (path) => {
      const { status, headers } = await rig.call('GET', path, { headers: PAGE })
      expect([path, status === 302, headers.get('location')]).toEqual([path, false, null])
    },
  )
})

/** A plain request, and one that the redirect server leaves to the API server. */
const SERVERS = [[], ['Expect: nothing', 'Content-Length: 0']]

async function forwarding(fields: Record<string, unknown> = {}): Promise<string> {
  const { short_code: code, forward_path } = await makeLink(rig, caller, { forward_path: true, ...fields })
  expect(forward_path).toBe(true)
  return code
}

const location = async (code: string, path: string) =>
  (await open(rig, `${code}${path}`)).headers.get('location')

const change = async (code: string, body: object) =>
  expect((await rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })).status).toBe(200)

/** Without a client that reads the URL first. */
async function rawLocation(target: string, headers: string[]): Promise<string | undefined> {
  const request = rawRequest('GET', target, { headers: [`User-Agent: ${FIREFOX}`, ...headers] })
  const { status, headers: received } = await sendRaw(rig.url, request)
  expect([target, status]).toEqual([target, received.location === undefined ? 404 : 302])
  return received.location
}

const enter = (path: string, more: Record<string, string> = {}) =>
  fetch(`${rig.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...more,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ password: PASSWORD }).toString(),
  })
