import { describe, expect, test } from 'bun:test'
import { qrStyle } from '../../src/links/qr-style/qr-style.ts'
import { eventually } from '../rigs/eventually.ts'
import { PLAIN_LINK } from '../rigs/redirect/plain-link.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  invalid,
  makeLink,
  open,
  refusal,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('the options of a link', () => {
  test('are stored on creation, and shown by every answer', async () => {
    const { svc_id: _, ...made } = await makeLink(rig, caller, SENT)
    expect(made).toMatchObject({ ...SHOWN, status: 'active' })
    expect(await read(made.short_code)).toEqual(made)
    const other = { external_id: 'order-8' }
    const body = { links: [{ original_url: DESTINATION }, { original_url: DESTINATION, ...SENT, ...other }] }
    const bulk = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body })
    expect(bulk.body.data).toMatchObject([PLAIN_LINK, { ...SHOWN, ...other }])
    expect(await read(bulk.body.data[0].short_code)).toMatchObject(PLAIN_LINK)
    expect(await read(bulk.body.data[1].short_code)).toMatchObject({ ...SHOWN, ...other })
  })

  test('are edited one by one, and null clears each', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    const own = { external_id: 'order-9' }
    const shown = { ...SHOWN, ...own }
    for (const [name, value] of Object.entries({ ...SENT, ...own })) {
      expect((await put(code, { [name]: value })).status).toBe(200)
      expect(await read(code)).toMatchObject({ [name]: shown[name as keyof typeof shown] })
    }
    expect(await read(code)).toMatchObject(shown)
    expect((await put(code, { title: 'The options stay' })).status).toBe(200)
    expect(await read(code)).toMatchObject(shown)
    expect((await put(code, CLEARED)).status).toBe(200)
    expect(await read(code)).toMatchObject(CLEAR)
  })

  test('are refused when an edited one conflicts with a stored one', async () => {
    const times = { starts_at: '2030-01-01T00:00:00Z', expires_at: '2030-02-01T00:00:00Z' }
    const { svc_id: _, ...link } = await makeLink(rig, caller, times)
    const cases: [object, Record<string, string[]>][] = [
      [{ starts_at: '2030-03-01T00:00:00Z' }, { starts_at: ['The start must be before the end.'] }],
      [{ expires_at: '2029-01-01T00:00:00Z' }, { expires_at: ['The end must be after the start.'] }],
    ]
    for (const [edit, errors] of cases) {
      const answer = await put(link.short_code, { title: 'New', ...edit })
      expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
    }
    expect(await read(link.short_code)).toEqual(link)
  })
})

describe('a link that starts and ends', () => {
  test('does both at their time while it is cached', async () => {
    const start = await makeLink(rig, caller, { starts_at: inMs(1_500) })
    const end = await makeLink(rig, caller, { expires_at: inMs(1_500) })
    expect(start.status).toBe('scheduled')
    expect([(await open(rig, start.short_code)).status, (await open(rig, end.short_code)).status]).toEqual([
      404, 302,
    ])
    const started = await eventually(
      () => open(rig, start.short_code),
      ({ status }) => status !== 404,
    )
    expect([started.status, Date.now() >= Date.parse(start.starts_at)]).toEqual([302, true])
    const ended = await eventually(
      () => open(rig, end.short_code),
      ({ status }) => status !== 302,
    )
    expect([ended.status, Date.now() >= Date.parse(end.expires_at)]).toEqual([410, true])
    expect((await read(start.short_code)).status).toBe('active')
    expect((await read(end.short_code)).status).toBe('expired')
  })

  test('says so as JSON and as a page, and nothing is counted', async () => {
    const starts_at = '2199-01-01T09:30:00.000000Z'
    const expires_at = '2026-01-01T00:00:00.000000Z'
    const scheduled = await makeLink(rig, caller, { starts_at })
    const expired = await makeLink(rig, caller, { expires_at })
    const notices = [
      [scheduled, 404, 'link_scheduled', `This link starts working at ${starts_at}.`, 'January 1, 2199'],
      [expired, 410, 'link_expired', `This link expired at ${expires_at}.`, 'January 1, 2026'],
    ] as const
    for (const [{ short_code: code }, status, reason, message, date] of notices) {
      const json = await open(rig, code)
      expect(statusAndBody(json)).toEqual({ status, body: refusal(reason, message) })
      const page = await open(rig, code, PAGE)
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(page.text).toContain(date)
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect((await rig.call('HEAD', `/${code}`, { headers: PAGE })).status).toBe(status)
    }
    expect([scheduled.status, expired.status]).toEqual(['scheduled', 'expired'])
    // A click that is counted after them shows that they are not.
    const later = await makeLink(rig, caller)
    await open(rig, later.short_code)
    await eventually(
      () => read(later.short_code),
      ({ click_count }) => click_count === 1,
    )
    expect((await read(expired.short_code)).click_count).toBe(0)
  })

  test('leads to its fallback before and after, which is a click of that variant', async () => {
    const after = await makeLink(rig, caller, {
      expires_at: '2026-01-01T00:00:00Z',
      fallback_url: FALLBACK,
    })
    const before = await makeLink(rig, caller, { starts_at: inMs(3_600_000), fallback_url: FALLBACK })
    for (const { short_code: code } of [after, before]) {
      const { status, headers } = await open(rig, code)
      expect([status, headers.get('location')]).toEqual([302, FALLBACK])
    }
    const ids = [after.id, before.id]
    const rows = () =>
      rig.store.db
        .selectFrom('clicks')
        .select(['link_id', 'variant', 'clicks'])
        .where('link_id', 'in', ids)
        .orderBy('link_id')
        .execute()
    const counted = { variant: 'fallback', clicks: 1 }
    expect(await eventually(rows, ({ length }) => length === 2)).toEqual(
      ids.map((link_id) => ({ link_id, ...counted })),
    )
    await put(after.short_code, { fallback_url: null })
    expect((await open(rig, after.short_code)).status).toBe(410)
  })
})

describe('a redirect', () => {
  test.each([
    [301, 'private, max-age=90'],
    [302, 'private, no-store'],
    [307, 'private, no-store'],
    [308, 'private, max-age=90'],
  ])('has the status %d, on GET and HEAD', async (redirect_status, cacheControl) => {
    const { short_code: code } = await makeLink(rig, caller, { redirect_status })
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await rig.call(method, `/${code}`)
      expect([status, headers.get('location'), headers.get('cache-control'), text]).toEqual([
        redirect_status,
        DESTINATION,
        cacheControl,
        '',
      ])
    }
  })

  test("passes the visitor's query on if the link says so, without keys and marks of ours", async () => {
    const original_url = 'https://example.com/launch?own=1#part'
    const { short_code: on } = await makeLink(rig, caller, { original_url, forward_query: true })
    const { short_code: replacing } = await makeLink(rig, caller, { original_url, forward_query: 'replace' })
    const { short_code: off } = await makeLink(rig, caller, { original_url })
    const location = async (code: string, query: string) =>
      (await rig.call('GET', `/${code}${query}`, { headers: { 'User-Agent': FIREFOX } })).headers.get(
        'location',
      )
    expect(await location(on, '?own=2&new=3&api_key=x&qr')).toBe(
      'https://example.com/launch?own=1&new=3#part',
    )
    expect(await location(replacing, '?new=3&own=2&own=4&api_key=x&qr')).toBe(
      'https://example.com/launch?new=3&own=2&own=4#part',
    )
    expect(await location(on, '')).toBe(original_url)
    expect(await location(replacing, '')).toBe(original_url)
    expect(await location(off, '?new=3')).toBe(original_url)
  })
})

const PAGE = { Accept: 'text/html' }
const FALLBACK = 'https://example.com/over'

const SENT = {
  starts_at: '2026-01-01T10:00:00+01:00',
  expires_at: '2199-01-01T00:00:00.25Z',
  max_clicks: 1_000_000,
  fallback_url: 'https://EXAMPLE.com/over',
  forward_query: true,
  forward_path: true,
  redirect_status: 307,
  social_title: 'A card',
  social_description: 'With a text',
  social_image_url: 'https://example.com/card.png',
  archived: true,
  notes: 'For us\nonly',
  external_id: 'order-7',
  qr_style: { modules: 'dots', color: '#0F3D56', background: null },
}

const SHOWN = {
  ...SENT,
  starts_at: '2026-01-01T09:00:00.000000Z',
  expires_at: '2199-01-01T00:00:00.250000Z',
  fallback_url: FALLBACK,
  qr_style: { ...qrStyle.parse({}), modules: 'dots', color: '#0f3d56', background: null },
}

const CLEARED = Object.fromEntries(Object.keys(SENT).map((name) => [name, null]))

const CLEAR = Object.fromEntries(
  Object.keys(SENT).map((name) => [name, PLAIN_LINK[name as keyof typeof PLAIN_LINK]]),
)

const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data
const put = (code: string, body: unknown) => rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
