import { beforeEach, describe, expect, test } from 'bun:test'
import { withRuleIds } from '../../src/links/rules/rule-ids.ts'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { renameInTrash } from '../rigs/store/renamed-in-trash.ts'
import { FIREFOX, invalid, LINK_NOT_FOUND, TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
let browser: Browser

beforeEach(async () => {
  browser = (await rig.user()).browser
})

const make = (custom_code: string, others: object = {}) =>
  browser.succeed('POST', '/links', {
    original_url: `https://example.com/${custom_code}`,
    custom_code,
    ...others,
  })
const open = (code: string) => rig.call('GET', `/${code}`, { headers: { 'User-Agent': FIREFOX } })
const codes = async (query: string): Promise<string[]> =>
  (await browser.succeed('GET', `/links${query}`)).map(({ short_code: code }: any) => code)
const openAndCount = async (clicks: Record<string, number>) => {
  for (const [code, times] of Object.entries(clicks)) for (let i = 0; i < times; i++) await open(code)
  const total = Object.values(clicks).reduce((sum, times) => sum + times, 0)
  await eventually(
    () => browser.succeed('GET', '/overview'),
    ({ overview }) => overview.total_clicks >= total,
  )
}

describe('links', () => {
  test('are created, read, edited, disabled and deleted as by a key, with the same responses', async () => {
    const made = await browser.request('POST', '/links', {
      url: 'https://example.com/',
      custom_code: 'by-hand',
    })
    expect([made.status, made.body.data.short_code, made.body.data.svc_id]).toEqual([
      201,
      'by-hand',
      expect.any(String),
    ])
    await browser.succeed('PUT', '/links/by-hand', { title: 'By hand' })
    expect(await browser.succeed('GET', '/links/by-hand')).toMatchObject({
      title: 'By hand',
      status: 'active',
    })
    expect(await browser.succeed('POST', '/links/by-hand/toggle')).toEqual({ is_active: false })
    const bulk = await browser.request('POST', '/bulk-shorten', { links: [{ url: 'https://example.com/' }] })
    expect([bulk.status, bulk.body.count]).toEqual([201, 1])
    await browser.succeed('DELETE', '/links/by-hand')
    expect((await browser.request('GET', '/links/by-hand')).body).toEqual(LINK_NOT_FOUND)
    expect((await browser.request('POST', '/links', {})).body).toEqual(
      invalid({
        original_url: ['The original url field is required.'],
        url: ['The url field is required.'],
      }),
    )
  })

  test('are hidden from other accounts', async () => {
    const other = (await rig.user()).browser
    await other.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: 'not-yours' })
    for (const [method, path, body] of [
      ['GET', '/links/not-yours', undefined],
      ['PUT', '/links/not-yours', { title: 'x' }],
      ['POST', '/links/not-yours/toggle', {}],
      ['DELETE', '/links/not-yours', undefined],
      ['POST', '/links/not-yours/restore', {}],
      ['GET', '/analytics?short_code=not-yours', undefined],
    ] as const) {
      const answer = await browser.request(method, path, body)
      expect([path, answer.status, answer.body]).toEqual([path, 404, LINK_NOT_FOUND])
    }
    expect(await codes('')).toEqual([])
    expect((await other.succeed('GET', '/links/not-yours')).title).toBe('')
  })
})

describe('the list', () => {
  test('is filtered, sorted and searched in every combination, in pages', async () => {
    await make('list-aaa', { title: 'Alpha' })
    await make('list-bbb', { title: 'Beta', is_active: false })
    const { short_url: gammaUrl } = await make('list-ccc', { title: 'Gamma' })
    await make('list-ddd', { title: 'Beta too' })
    await openAndCount({ 'list-aaa': 3, 'list-ccc': 1 })
    expect(await codes('')).toEqual(['list-ddd', 'list-ccc', 'list-bbb', 'list-aaa'])
    const clicked = await browser.succeed('GET', '/links?order=asc&include=last_clicked_at')
    expect(clicked.map(({ last_clicked_at: at }: any) => at)).toEqual([
      expect.stringMatching(TIMESTAMP),
      null,
      expect.stringMatching(TIMESTAMP),
      null,
    ])
    expect(await codes('?order=asc')).toEqual(['list-aaa', 'list-bbb', 'list-ccc', 'list-ddd'])
    expect(await codes('?sort=clicks')).toEqual(['list-aaa', 'list-ccc', 'list-ddd', 'list-bbb'])
    expect(await codes('?sort=clicks&order=asc')).toEqual(['list-bbb', 'list-ddd', 'list-ccc', 'list-aaa'])
    expect(await codes('?status=active')).toEqual(['list-ddd', 'list-ccc', 'list-aaa'])
    expect(await codes('?status=disabled')).toEqual(['list-bbb'])
    expect(await codes('?search=BETA')).toEqual(['list-ddd', 'list-bbb'])
    expect(await codes('?search=beta&status=active')).toEqual(['list-ddd'])
    expect(await codes('?search=example.com&sort=clicks&status=active')).toEqual([
      'list-aaa',
      'list-ccc',
      'list-ddd',
    ])
    expect(await codes('?search=nothing&order=asc')).toEqual([])
    for (const order of ['desc', 'asc']) {
      expect(await codes(`?search=too+beta&order=${order}`)).toEqual(['list-ddd'])
      expect(await codes(`?search=T-CC&order=${order}`)).toEqual(['list-ccc'])
      expect(await codes(`?search=${encodeURIComponent(gammaUrl)}&order=${order}`)).toEqual(['list-ccc'])
      expect(await codes(`?search=${encodeURIComponent(`${gammaUrl} alpha`)}&order=${order}`)).toEqual([])
    }
    const page = await browser.request('GET', '/links?order=asc&status=active&per_page=2&page=2')
    expect(page.body.data.map(({ short_code: code }: any) => code)).toEqual(['list-ddd'])
    expect(page.body.meta).toMatchObject({ current_page: 2, last_page: 2, per_page: 2, total: 3 })
    const found = await browser.request('GET', '/links?search=beta&status=disabled&per_page=1')
    expect(found.body.meta).toMatchObject({ current_page: 1, last_page: 1, per_page: 1, total: 1 })
    const bad = await browser.request('GET', '/links?order=sideways&status=odd&page=0')
    expect(bad.body).toEqual(
      invalid({
        page: ['The page must be an integer of at least 1.'],
        status: ['The status must be one of blocked, disabled, scheduled, expired, limit_reached, active.'],
        order: ['The order must be one of desc, asc.'],
      }),
    )
  })

  test('has the last thirty days of every link, today last', async () => {
    const { id } = await make('drawn')
    await make('undrawn')
    const today = Math.floor(Date.now() / 86_400_000)
    const hours = [
      [today * 24 + 3, 2],
      [today * 24 - 1, 5],
      [(today - 29) * 24, 7],
      [(today - 29) * 24 - 1, 11],
    ]
    await rig.store.db
      .insertInto('link_hours')
      .values(
        hours.map(([hour, clicks]) => ({
          link_id: id,
          hour: hour!,
          dimensions_id: 0,
          clicks: clicks!,
          visitors: 0,
          bots: 0,
        })),
      )
      .execute()
    const [undrawn, drawn] = await browser.succeed('GET', '/links?include=sparkline')
    expect(undrawn.sparkline).toEqual(Array(30).fill(0))
    expect(drawn.sparkline).toEqual([7, ...Array(27).fill(0), 5, 2])
  })
})

describe('undoing a deletion', () => {
  test('restores the same link, with its ID, clicks and search, and it redirects again', async () => {
    const { id } = await make('undone', { title: 'Undo me' })
    await openAndCount({ undone: 2 })
    // Long enough for the index of searches to have taken it in.
    await eventually(
      async () => (await rig.store.db.selectFrom('link_texts').select('link_id').execute()).length,
      (count) => count > 0,
    )
    const before = await browser.succeed('GET', '/links/undone')
    await browser.succeed('DELETE', '/links/undone')
    expect((await open('undone')).status).toBe(404)
    expect((await browser.succeed('GET', '/overview')).overview.total_links).toBe(0)
    const { status, body } = await browser.request('POST', '/links/undone/restore')
    expect([status, body]).toEqual([200, { success: true, message: 'Link restored.', data: before }])
    expect([before.id, before.click_count]).toEqual([id, 2])
    expect((await open('undone')).status).toBe(302)
    expect(await codes('?search=undo%20me')).toEqual(['undone'])
    expect((await browser.succeed('GET', '/overview')).overview).toMatchObject({
      total_links: 1,
      active_links: 1,
    })
    expect((await browser.request('POST', '/links/undone/restore')).body).toEqual(LINK_NOT_FOUND)
  })

  test('is not possible after the days of the trash or for another account, and never replaces a newer link', async () => {
    await make('too-late')
    await browser.succeed('DELETE', '/links/too-late')
    const stranger = (await rig.user()).browser
    expect((await stranger.request('POST', '/links/too-late/restore')).body).toEqual(LINK_NOT_FOUND)
    const claim = { original_url: 'https://evil.example/', custom_code: 'too-late' }
    expect((await stranger.request('POST', '/links', claim)).status).toBe(422)
    await make('newer-code', { title: 'newer' })
    await renameInTrash(rig.store.db, 'too-late', 'newer-code')
    const replaced = await browser.request('POST', '/links/newer-code/restore')
    expect([replaced.status, replaced.body]).toEqual([
      422,
      {
        ...invalid({ short_code: ['The short code opens another link now.'] }),
        error_codes: { short_code: ['code_taken'] },
      },
    ])
    expect((await browser.succeed('GET', '/links/newer-code')).title).toBe('newer')
    await browser.succeed('DELETE', '/links/newer-code')
    await rig.store.db
      .updateTable('deleted_links')
      .set({ deleted_at: Date.now() * 1000 - 30 * 86_400_000_000 })
      .execute()
    expect((await browser.request('POST', '/links/newer-code/restore')).body).toEqual(LINK_NOT_FOUND)
  })
})

describe('checking before creating', () => {
  test('reports what is wrong with every row, and stores nothing', async () => {
    await make('mine-taken')
    const other = (await rig.user()).browser
    await other.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'theirs-taken',
    })
    const links = [
      { original_url: 'https://example.com/good', custom_code: 'free-code' },
      { original_url: 'ftp://example.com/' },
      { original_url: 'https://example.com/', custom_code: 'mine-taken' },
      { original_url: 'javascript:alert(1)', custom_code: 'theirs-taken', title: 'x'.repeat(256) },
      'no object',
      { original_url: 'https://example.com/', custom_code: 'free-code' },
      { original_url: 'https://example.com/', custom_code: 'api' },
      { original_url: 'https://example.com/', external_id: 'taken' },
      { original_url: 'https://example.com/', external_id: 'free' },
      { original_url: 'https://example.com/', external_id: 'free' },
      {
        original_url: 'ftp://example.com/',
        starts_at: '2030-01-02T00:00:00Z',
        expires_at: '2030-01-01T00:00:00Z',
      },
    ]
    await browser.succeed('PUT', '/links/mine-taken', { external_id: 'taken' })
    const rows = await browser.succeed('POST', '/links/check', { links })
    const notAUrl = 'The original url must be a valid URL that starts with http:// or https://.'
    const taken = 'The custom code has already been taken.'
    expect(rows.map(({ errors }: any) => errors)).toEqual([
      {},
      { original_url: [notAUrl] },
      { custom_code: [taken] },
      {
        original_url: [notAUrl],
        title: ['The title may not be greater than 255 characters.'],
        custom_code: [taken],
      },
      { link: ['The links.4 must be an object.'] },
      { custom_code: ['The custom code is used twice in this request.'] },
      { custom_code: ['The custom code is reserved.'] },
      { external_id: ['The external id has already been taken.'] },
      {},
      { external_id: ['The external id is used twice in this request.'] },
      { original_url: [notAUrl], expires_at: ['The end must be after the start.'] },
    ])
    expect(rows.slice(0, 4).map((row: any) => row.error_codes)).toEqual([
      {},
      { original_url: ['url_invalid'] },
      { custom_code: ['code_taken'] },
      { original_url: ['url_invalid'], custom_code: ['code_taken'] },
    ])
    expect(rows.map(({ index }: any) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await codes('')).toEqual(['mine-taken'])
    // What is free here can be stored, and what is not is refused in the same words.
    const stored = await browser.request('POST', '/bulk-shorten', { links: [links[0], links[2]] })
    expect(stored.body).toEqual({
      ...invalid({ 'links.1.custom_code': [taken] }),
      error_codes: { 'links.1.custom_code': ['code_taken'] },
    })
  })

  test.each([
    [{}, { links: ['The links field is required.'] }],
    [{ links: 'x' }, { links: ['The links must be an array.'] }],
    [{ links: [] }, { links: ['The links must have between 1 and 100 items.'] }],
    [{ links: Array(101).fill({}) }, { links: ['The links must have between 1 and 100 items.'] }],
  ])('accepts what creating accepts: %j', async (input, errors) => {
    const { status, body } = await browser.request('POST', '/links/check', input)
    expect([status, body]).toEqual([422, invalid(errors as any)])
  })

  test('looks up no codes for a request with too many links', async () => {
    // This many in one query would keep the API thread busy for seconds.
    const links = Array.from({ length: 40_000 }, (_, n) => ({ custom_code: `c${n}` }))
    const { status, body } = await browser.request('POST', '/links/check', { links })
    expect([status, body]).toEqual([
      422,
      invalid({ links: ['The links must have between 1 and 100 items.'] }),
    ])
  })

  test('says whether a code is free', async () => {
    await make('own-code')
    const { id } = await make('own-deleted')
    await browser.succeed('DELETE', '/links/own-deleted')
    const check = (code: string) => browser.succeed('GET', `/codes/${encodeURIComponent(code)}`)
    expect(await check('nobodys')).toEqual({ is_free: true, reasons: [], trashed_link: null })
    expect(await check('own-deleted')).toEqual({
      is_free: false,
      reasons: ['The custom code is that of a link in the trash. Restore the link or delete it for good.'],
      trashed_link: { id, short_code: 'own-deleted' },
    })
    expect(await check('own-code')).toEqual({
      is_free: false,
      reasons: ['The custom code has already been taken.'],
      trashed_link: null,
    })
    const stranger = (await rig.user()).browser
    expect((await stranger.succeed('GET', '/codes/own-deleted')).is_free).toBe(false)
    expect((await check('Login')).reasons).toEqual(['The custom code is reserved.'])
    expect((await check('a/b c')).reasons).toEqual([
      'The custom code may only contain letters, numbers, dashes and underscores.',
    ])
  })

  test('every choice for a condition of a rule is accepted in one, up to 50 at a time', async () => {
    const choices = await browser.succeed('GET', '/condition-choices')
    expect(choices.country).toHaveLength(new Set(choices.country).size)
    expect(choices.country.length).toBeGreaterThan(240)
    expect(choices.country).toContain('DE')
    expect(choices.country).not.toContain('DD')
    expect(choices.device).toEqual(['desktop', 'mobile', 'tablet', 'other'])
    expect(choices.os).toContain('iOS')
    expect(choices.browser).toContain('Instagram')
    const rules = Object.entries<string[]>(choices).flatMap(([kind, values]) =>
      Array.from({ length: Math.ceil(values.length / 50) }, (_, at) => ({
        when: { [kind]: values.slice(at * 50, at * 50 + 50) },
        to: 'https://example.com/',
      })),
    )
    const link = await browser.succeed('POST', '/links', { original_url: 'https://example.com/', rules })
    expect(link.rules).toEqual(withRuleIds(rules))
  })
})
