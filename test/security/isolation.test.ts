import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'
import { LINK_NOT_FOUND, statusAndBody } from '../specification/contract-rig.ts'

// T28, T29: what is somebody else's does not exist, and only what an operation names can be set.

const rig = useServiceRig()
const owner = useCaller(rig)
const stranger = useCaller(rig)

beforeAll(async () => {
  const body = { ...GOOD, custom_code: 'theirs', title: 'Private title' }
  expect((await rig.call('POST', '/api/links', { key: owner.key, body })).status).toBe(201)
})

describe('the link of another account', () => {
  test.each<[string, string, string, unknown?]>([
    ['read', 'GET', '/api/links/CODE'],
    ['changed', 'PUT', '/api/links/CODE', { title: 'Taken over', original_url: 'https://evil.example' }],
    ['changed by nothing', 'PUT', '/api/links/CODE', {}],
    ['changed by what is refused', 'PUT', '/api/links/CODE', { title: 1 }],
    ['switched off', 'PUT', '/api/links/CODE', { is_active: false }],
    ['toggled', 'POST', '/api/links/CODE/toggle'],
    ['deleted', 'DELETE', '/api/links/CODE'],
    ['analysed', 'GET', '/api/analytics/links/CODE'],
    ['analysed by what is refused', 'GET', '/api/analytics/links/CODE?period=x'],
    ['seen in clicks', 'GET', '/api/analytics/clicks?short_code=CODE'],
    ['seen in countries', 'GET', '/api/analytics/countries?short_code=CODE'],
    ['seen in devices', 'GET', '/api/analytics/devices?short_code=CODE'],
    ['seen in browsers', 'GET', '/api/analytics/browsers?short_code=CODE'],
  ])('cannot be %s, with the same response as for an unknown one', async (...attempt) => {
    const [, method, path, body] = attempt
    const before = await read('theirs')
    for (const code of ['theirs', 'nobodys', 'x', encodeURIComponent('é/ü')]) {
      const answer = await rig.call(method, path.replace('CODE', code), { key: stranger.key, body })
      expect(statusAndBody(answer)).toEqual({ status: 404, body: LINK_NOT_FOUND })
    }
    expect(await read('theirs')).toEqual(before)
  })

  test('appears in no list, search or analytics', async () => {
    await rig.call('GET', '/theirs')
    const { key } = stranger
    const lists = [
      '/api/links',
      '/api/links?search=Private',
      '/api/links?search=example',
      '/api/links?per_page=100&page=1',
    ]
    for (const path of lists) {
      const { body } = await rig.call('GET', path, { key })
      expect([body.data, body.meta.total]).toEqual([[], 0])
    }
    const { data } = (await rig.call('GET', '/api/analytics/overview', { key })).body
    expect(data).toEqual({
      overview: { total_links: 0, total_clicks: 0, active_links: 0, clicks_today: 0 },
      top_links: [],
    })
    for (const path of ['clicks', 'countries', 'devices', 'browsers']) {
      const { body } = await rig.call('GET', `/api/analytics/${path}`, { key })
      expect(body.meta.total).toBe(0)
    }
  })

  test('cannot be reached by its ID or its svc_id', async () => {
    const { id } = await read('theirs')
    const row = await rig.store.db
      .selectFrom('links')
      .select('svc_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (const name of [String(id), row.svc_id, '*', '%25', '_', 'their_', "theirs'--", '%27%20OR%201=1--']) {
      for (const caller of [owner, stranger]) {
        expect((await rig.call('DELETE', `/api/links/${name}`, { key: caller.key })).status).toBe(404)
      }
    }
    expect((await read('theirs')).id).toBe(id)
  })
})

test('account, keys and usage are the caller’s own, whatever the query says', async () => {
  const asked = `?user_id=${owner.userId}&workspace_id=${owner.workspaceId}&id=${owner.userId}`
  const account = await rig.call('GET', `/api/account${asked}`, { key: stranger.key })
  expect(account.body.data.user).toMatchObject({ id: stranger.userId, email: stranger.email })
  const keys = await rig.call('GET', `/api/account/api-keys${asked}`, { key: stranger.key })
  expect(keys.body.data.map(({ id }: { id: number }) => id)).toEqual([stranger.keyId])
  const usage = await rig.call('GET', `/api/account/usage${asked}`, { key: stranger.key })
  const own = usage.body.data
  const other = (await rig.call('GET', '/api/account/usage', { key: owner.key })).body.data
  expect(own.monthly_usage).not.toBe(other.monthly_usage)
})

describe('read-only fields', () => {
  const forbidden = {
    id: 1,
    svc_id: 'svc_mine',
    user_id: 1,
    workspace_id: 1,
    workspaceId: 1,
    click_count: 4711,
    clicks: 4711,
    created_at: '2001-01-01T00:00:00.000000Z',
    updated_at: 1,
    short_url: 'https://evil.example/x',
    qr_code_url: 'https://evil.example/qr',
    target_url: 'https://evil.example/',
    targetUrl: 'https://evil.example/',
    is_banned: true,
    is_admin: true,
    code: 'evil',
    short_code: 'evil',
  }

  const untouched = (link: Record<string, unknown>) => {
    expect(link.click_count).toBe(0)
    expect(link.short_url).toBe(`${rig.config.baseUrl}/${link.short_code}`)
    expect(link.short_code).not.toBe('evil')
    expect(String(link.created_at)).not.toStartWith('2001')
  }

  test('are ignored by create and bulk create', async () => {
    const one = await rig.call('POST', '/api/links', { key: stranger.key, body: { ...GOOD, ...forbidden } })
    const many = await rig.call('POST', '/api/bulk-shorten', {
      key: stranger.key,
      body: { links: [{ ...GOOD, ...forbidden }], count: 9 },
    })
    for (const link of [one.body.data, many.body.data[0]]) {
      untouched(link)
      expect(link.id).not.toBe(1)
      expect(link.svc_id).toMatch(/^svc_[0-9a-f-]{36}$/)
      const opened = await rig.call('GET', `/${link.short_code}`)
      expect(opened.headers.get('location')).toBe(GOOD.original_url)
    }
  })
})

const GOOD = { original_url: 'https://example.com/a' }

const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: owner.key })).body.data
