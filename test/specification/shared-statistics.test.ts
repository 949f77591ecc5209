import { beforeAll, describe, expect, test } from 'bun:test'
import { becomes } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  GOOGLEBOT,
  invalid,
  makeLink,
  open,
  refusal,
  statusAndBody,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)
let launch: { id: number; short_code: string }
let tagId: number

beforeAll(prepareClicks)

const NOT_SHARED = refusal('share_not_found', 'The statistics are not shared.')
const SHARED_ALREADY = refusal('share_exists', 'The statistics are shared already.')

describe('the statistics of a link, a tag or a folder', () => {
  test.each(['link', 'tag', 'folder'])(
    'of a %s are shared, changed, reset and no longer shared',
    async (kind) => {
      const path = await newPathOf(kind)
      expect(statusAndBody(await send('GET', path))).toEqual({ status: 404, body: NOT_SHARED })
      const made = await send('POST', path, {})
      expect(made.status).toBe(201)
      const { url } = made.body.data
      expect(url).toMatch(new RegExp(`^${rig.config.baseUrl}/share/[\\w-]{43}$`))
      expect(made.body.data).toEqual({
        url,
        badge_url: `${url}/badge.svg`,
        panels: ['clicks', 'countries'],
        ends_at: null,
        has_password: false,
        created_at: expect.stringMatching(TIMESTAMP),
      })
      expect(statusAndBody(await send('POST', path, {}))).toEqual({ status: 409, body: SHARED_ALREADY })
      const edit = { panels: ['sources', 'clicks'], ends_at: '2199-01-01T00:00:00Z', password: 'sesame' }
      const changed = await send('PUT', path, edit)
      expect(changed.body.data).toEqual({
        ...made.body.data,
        badge_url: null,
        panels: ['clicks', 'sources'],
        ends_at: '2199-01-01T00:00:00.000000Z',
        has_password: true,
      })
      expect((await send('PUT', path, {})).body.data).toEqual(changed.body.data)
      const reset = await send('POST', `${path}/reset`)
      expect(reset.body.data).toEqual({ ...changed.body.data, url: expect.any(String) })
      expect(reset.body.data.url).not.toBe(url)
      expect((await send('GET', path)).body.data).toEqual(reset.body.data)
      expect((await pageAt(url)).status).toBe(404)
      expect((await pageAt(reset.body.data.url)).status).toBe(403)
      expect((await send('DELETE', path)).status).toBe(200)
      for (const [method, end] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/reset'],
      ] as const)
        expect(statusAndBody(await send(method, path + end, method === 'PUT' ? {} : undefined))).toEqual({
          status: 404,
          body: NOT_SHARED,
        })
      expect((await pageAt(reset.body.data.url)).status).toBe(404)
      expect(await entriesOf(kind)).toEqual([
        [`${kind}.unshared`, null],
        [`${kind}.share_reset`, null],
        [
          `${kind}.share_updated`,
          {
            panels: { from: ['clicks', 'countries'], to: ['clicks', 'sources'] },
            ends_at: { from: null, to: '2199-01-01T00:00:00.000000Z' },
            password: { from: null, to: 'set' },
          },
        ],
        [`${kind}.shared`, { panels: { from: null, to: ['clicks', 'countries'] } }],
      ])
      const stored = JSON.stringify(await rig.store.db.selectFrom('audit_log').select('changes').execute())
      expect(stored).not.toMatch(/sesame|argon2|\/share\//)
    },
  )

  const OF_LINK = 'clicks, countries, sources, devices, via, destination'
  const OF_LABEL = 'clicks, countries, sources, devices, via, links'
  test.each([
    ['link', { panels: ['links'] }, { 'panels.0': [`The panels.0 must be one of ${OF_LINK}.`] }],
    [
      'tag',
      { panels: ['clicks', 'destination'] },
      { 'panels.1': [`The panels.1 must be one of ${OF_LABEL}.`] },
    ],
    ['link', { panels: 'clicks' }, { panels: ['The panels must be an array.'] }],
    ['link', { panels: null }, { panels: ['The panels must be an array.'] }],
    [
      'link',
      { panels: Array.from({ length: 7 }, () => 'clicks') },
      { panels: ['The panels may not have more than 6 items.'] },
    ],
    ['folder', { ends_at: '2020-01-01T00:00:00Z' }, { ends_at: ['The end must be in the future.'] }],
    [
      'link',
      { ends_at: 'tomorrow' },
      {
        ends_at: ['The end must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.'],
      },
    ],
    ['link', { password: '' }, { password: ['The password must be at least 1 character.'] }],
    ['link', { password: 7 }, { password: ['The password must be a string.'] }],
  ])('of a %s are not shared with %o, and not changed to it', async (kind, body, errors) => {
    const path = await newPathOf(kind)
    expect(statusAndBody(await send('POST', path, body))).toEqual({ status: 422, body: invalid(errors) })
    expect((await send('GET', path)).status).toBe(404)
    const { data } = (await send('POST', path, {})).body
    expect(statusAndBody(await send('PUT', path, body))).toEqual({ status: 422, body: invalid(errors) })
    expect((await send('GET', path)).body.data).toEqual(data)
  })

  test('are shared with keys that may do so, and those of others are not found', async () => {
    const path = await newPathOf('link')
    const reader = await rig.makeCaller({ scopes: ['analytics:read', 'links:write', 'tags:write'] })
    const { status, body } = await rig.call('POST', path, { key: reader.key, body: {} })
    expect([status, body.code]).toEqual([403, 'scope_missing'])
    await send('POST', path, {})
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const request = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const foreign = await rig.call(method, path, { key: stranger.key, ...request })
      expect([foreign.status, foreign.body.code]).toEqual([404, 'link_not_found'])
    }
    expect((await send('GET', path)).status).toBe(200)
  })
})

describe('the public page', () => {
  test('shows what was chosen and nothing else, without a bot, a script or a cookie', async () => {
    const { url } = await share(`/api/links/${launch.short_code}/share`, {
      panels: ['clicks', 'countries', 'via'],
    })
    const { status, headers, text } = await pageAt(url)
    expect(status).toBe(200)
    expect(numbersOf(text)).toEqual({
      Clicks: '3',
      'Unique visitors': '2',
      'QR scans': '1',
      'Today so far': expect.stringMatching(/^[0-3]$/),
    })
    expect(titlesOf(text)).toEqual(['Clicks over time', 'Countries', 'How they came'])
    expect(rowsOf(text, 'Countries')).toEqual(['Germany 2 66.7%', 'United States 1 33.3%'])
    expect(rowsOf(text, 'How they came')).toEqual(['Short URL 2 66.7%', 'QR code 1 33.3%'])
    expect(text).not.toContain('example.com')
    expect(text).not.toContain('news.example.org')
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org)/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    })
    expect(headers.has('set-cookie')).toBe(false)

    await send('PUT', `/api/links/${launch.short_code}/share`, {
      panels: ['sources', 'devices', 'destination'],
    })
    const { text: others } = await pageAt(url)
    expect(numbersOf(others)).toEqual({ Clicks: '3' })
    expect(titlesOf(others)).toEqual(['Sources', 'Devices', 'Browsers'])
    expect(rowsOf(others, 'Sources')).toEqual(['Direct or unknown 2 66.7%', 'news.example.org 1 33.3%'])
    expect(others).toContain(`<span class="share-destination" dir="ltr">${DESTINATION}</span>`)
    expect(others).not.toContain(`href="${DESTINATION}`)
  })

  test('of a tag or folder names the links that have it, most clicks first', async () => {
    const { url } = await share(`/api/tags/${tagId}/share`, { panels: ['links'] })
    const { text } = await pageAt(url)
    expect(numbersOf(text)).toEqual({ Clicks: '4' })
    const host = new URL(rig.config.baseUrl).host
    expect(rowsOf(text, 'Top links').map((row) => row.split(' ').slice(1).join(' '))).toEqual([
      '3 75%',
      '1 25%',
    ])
    expect(rowsOf(text, 'Top links')[0]).toStartWith(`${host}/${launch.short_code} `)
    expect(text).toContain('<h1><bdi>Spring &lt;sale&gt;</bdi></h1>')
  })

  test('has ranges that are links', async () => {
    const { url } = await share(await newPathOf('link'), {})
    const currentOf = async (query: string) =>
      /<a href="\?range=(\w+)" aria-current="true">/.exec((await pageAt(url + query)).text)?.[1]
    expect(await currentOf('')).toBe('30d')
    for (const range of ['7d', '30d', '90d', 'all']) expect(await currentOf(`?range=${range}`)).toBe(range)
    expect(await currentOf('?range=%22%3E%3Cscript%3E')).toBe('30d')
  })

  test('says what changes compare, where there are some', async () => {
    const WHOLE_DAYS = 'Changes compare the days that are over with as many before.'
    const path = await newPathOf('link')
    const { url } = await share(path, {})
    expect((await pageAt(url)).text).not.toContain(WHOLE_DAYS)
    await rig.store.db
      .updateTable('links')
      .set({ created_at: 1 })
      .where('code', '=', path.split('/')[3]!)
      .execute()
    const { text } = await pageAt(`${url}?range=7d`)
    expect(text).toContain('None before')
    expect(text).toContain(WHOLE_DAYS)
  })

  test('that is off, was reset, has ended, is in the trash, suspended or never was, is the same page', async () => {
    const never = `${rig.config.baseUrl}/share/${'A'.repeat(43)}`
    const { status, text, headers } = await pageAt(never)
    expect([status, headers.get('x-robots-tag'), headers.get('set-cookie')]).toEqual([404, 'noindex', null])
    expect(text).toContain('<h1>These statistics are not shared</h1>')
    const isGone = async (url: string) => {
      const gone = await pageAt(url)
      expect([gone.status, gone.text]).toEqual([404, text])
    }
    for (const end of ['x', 'A'.repeat(44), `${'A'.repeat(42)}%00`, '%E2%80%AE', '..%2f..%2fapi'])
      await isGone(`${rig.config.baseUrl}/share/${end}`)

    const path = await newPathOf('link')
    const { url } = await share(path, {})
    await rig.store.db.updateTable('shares').set({ ends_at: 1 }).where('secret', '=', secretOf(url)).execute()
    await isGone(url)
    await send('PUT', path, { ends_at: null })
    expect((await pageAt(url)).status).toBe(200)
    const code = path.split('/')[3]!
    await send('DELETE', `/api/links/${code}`)
    await isGone(url)
    await send('POST', `/api/links/${code}/restore`)
    expect((await pageAt(url)).status).toBe(200)
    const workspaces = rig.store.db.updateTable('workspaces').where('id', '=', caller.workspaceId)
    await workspaces.set({ suspended_at: 1 }).execute()
    await isGone(url)
    await workspaces.set({ suspended_at: null }).execute()
    expect((await pageAt(url)).status).toBe(200)
    await send('DELETE', `/api/links/${code}`)
    await send('DELETE', `/api/trash/${code}`)
    await isGone(url)

    for (const kind of ['tag', 'folder']) {
      const labelPath = await newPathOf(kind)
      const label = await share(labelPath, {})
      expect((await pageAt(label.url)).status).toBe(200)
      await send('DELETE', labelPath.replace('/share', ''))
      await isGone(label.url)
    }
    const rows = rig.store.db.selectFrom('shares').select('id')
    expect(await rows.where('secret', '=', secretOf(url)).execute()).toEqual([])
  })

  test('takes no other method', async () => {
    const { url } = await share(await newPathOf('link'), {})
    for (const [path, allowed] of [
      [new URL(url).pathname, 'GET, HEAD, POST'],
      [`${new URL(url).pathname}/badge.svg`, 'GET, HEAD'],
    ] as const) {
      const { status, headers } = await rig.call('PUT', path, { body: {} })
      expect([status, headers.get('allow')]).toEqual([405, allowed])
    }
    expect((await rig.call('GET', `${new URL(url).pathname}/more`)).status).toBe(404)
  })
})

describe('the badge', () => {
  test('shows all clicks of humans, to every page, for a minute', async () => {
    const { badge_url: badge } = await share(`/api/tags/${await newTagOf(launch.short_code)}/share`, {
      panels: [],
    })
    const { status, headers, text } = await pageAt(badge)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(text).toContain('<title>clicks: 3</title>')
    expect(text).not.toMatch(/<script|\sstyle=|href=|url\((?!#)/)
  })

  test('of a page with a password, or of none, says so', async () => {
    const path = await newPathOf('link')
    const { url } = await share(path, { password: 'sesame' })
    for (const page of [url, `${rig.config.baseUrl}/share/nothing`]) {
      const { status, headers, text } = await pageAt(`${page}/badge.svg`)
      expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store'])
      expect(text).toContain('<title>clicks: not shared</title>')
    }
  })
})

type Shared = { url: string; badge_url: string }

async function share(path: string, body: object): Promise<Shared> {
  const made = await send('POST', path, body)
  expect(made.status).toBe(201)
  return made.body.data
}

const send = (method: string, path: string, body?: object) =>
  rig.call(method, path, { key: caller.key, ...(body === undefined ? {} : { body }) })

const pageAt = (url: string) => rig.call('GET', url.slice(rig.config.baseUrl.length), { headers: PAGE })
const PAGE = { Accept: 'text/html' }
const secretOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

let things = 0

/** Of a new link, tag or folder. */
async function newPathOf(kind: string): Promise<string> {
  if (kind === 'link') return `/api/links/${(await makeLink(rig, caller)).short_code}/share`
  const { body } = await send('POST', `/api/${kind}s`, { name: `${kind} ${things++}` })
  return `/api/${kind}s/${body.data.id}/share`
}

async function newTagOf(code: string): Promise<number> {
  const name = `tag ${things++}`
  await send('PUT', `/api/links/${code}`, { tags: ['Spring <sale>', name] })
  const { body } = await send('GET', '/api/tags')
  return body.data.find((tag: { name: string }) => tag.name === name).id
}

async function entriesOf(kind: string) {
  const { body } = await rig.call('GET', '/api/audit-log?per_page=6', { key: caller.key })
  return body.data
    .filter(({ action }: { action: string }) => action.startsWith(`${kind}.`) && /share/.test(action))
    .slice(0, 4)
    .map(({ action, changes }: { action: string; changes: object }) => [action, changes])
}

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const numbersOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt>\s*<dd class="share-number">(.*?)<\/dd>/g)].map(([, name, number]) => [
      name,
      number,
    ]),
  )

const titlesOf = (page: string) => [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title!)

const rowsOf = (page: string, title: string) => {
  const section = page.split(`<h2>${title}</h2>`)[1]!.split('</section>')[0]!
  return [...section.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row]) => textOf(row!))
}

const GERMAN = { 'X-Forwarded-For': '217.110.0.1' }
const AMERICAN = { 'X-Forwarded-For': '8.8.8.8' }

/** Three clicks on one link with a tag, one of them by its QR code, one on another; and a bot. */
async function prepareClicks(): Promise<void> {
  launch = await makeLink(rig, caller, { tags: ['Spring <sale>'], title: 'Launch' })
  const other = await makeLink(rig, caller, { tags: ['Spring <sale>'] })
  const { body } = await send('GET', '/api/tags')
  tagId = body.data[0].id
  await open(rig, launch.short_code, { ...GERMAN, Referer: 'https://news.example.org/' })
  await open(rig, `${launch.short_code}?qr`, GERMAN)
  await open(rig, launch.short_code, { ...AMERICAN, 'User-Agent': FIREFOX })
  await open(rig, other.short_code, AMERICAN)
  await open(rig, launch.short_code, { ...AMERICAN, 'User-Agent': GOOGLEBOT })
  await becomes(async () => {
    const { meta } = (await send('GET', '/api/analytics/clicks')).body
    const { bot_clicks: bots } = (await send('GET', `/api/analytics/links/${launch.short_code}`)).body.data
    return [meta.total, bots]
  }, [4, 1])
}
