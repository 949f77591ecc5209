import { beforeEach, describe, expect, test } from 'bun:test'
import { withRuleIds } from '../../src/links/rules/rule-ids.ts'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { HOUR_US } from '../../src/runtime/clock.ts'
import { aFact, insertFacts } from '../rigs/clicks/fact-rows.ts'
import { eventually } from '../rigs/eventually.ts'
import { FIREFOX, invalid, LINK_NOT_FOUND, TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
let browser: Browser

beforeEach(async () => {
  browser = (await rig.user()).browser
})

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
})

describe('the list', () => {
  test('says when each link was clicked last', async () => {
    await make('clicked')
    await make('unclicked')
    await rig.call('GET', '/clicked', { headers: { 'User-Agent': FIREFOX } })
    const lastClicks = async () =>
      (await browser.succeed('GET', '/links?include=last_clicked_at')).map(
        ({ last_clicked_at: at }: { last_clicked_at: string | null }) => at,
      )
    const [unclicked, clicked] = await eventually(lastClicks, ([, at]) => at !== null)
    expect([unclicked, clicked]).toEqual([null, expect.stringMatching(TIMESTAMP)])
  })

  test('has the last thirty days of every link, today last', async () => {
    const { id: link_id } = await make('drawn')
    await make('undrawn')
    const { workspace_id } = await rig.store.db
      .selectFrom('links')
      .select('workspace_id')
      .where('id', '=', link_id)
      .executeTakeFirstOrThrow()
    const today = Math.floor(Date.now() / 86_400_000)
    const hours = [
      [today * 24 + 3, 2],
      [today * 24 - 1, 5],
      [(today - 29) * 24, 7],
      [(today - 29) * 24 - 1, 11],
    ]
    await insertFacts(
      rig.store.relaxedDb,
      hours.map(([hour, clicks]) =>
        aFact({ workspace_id, link_id, clicked_at: hour! * HOUR_US, clicks: clicks! }),
      ),
    )
    const [undrawn, drawn] = await browser.succeed('GET', '/links?include=sparkline')
    expect(undrawn.sparkline).toEqual(Array(30).fill(0))
    expect(drawn.sparkline).toEqual([7, ...Array(27).fill(0), 5, 2])
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

const make = (custom_code: string, others: object = {}) =>
  browser.succeed('POST', '/links', {
    original_url: `https://example.com/${custom_code}`,
    custom_code,
    ...others,
  })
const codes = async (query: string): Promise<string[]> =>
  (await browser.succeed('GET', `/links${query}`)).map(({ short_code: code }: any) => code)
