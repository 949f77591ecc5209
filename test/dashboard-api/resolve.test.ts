import { beforeAll, describe, expect, test } from 'bun:test'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'

const rig = useOwnDashboardRig()
let operator: Browser
let browser: Browser

beforeAll(async () => {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
  browser = (await rig.user()).browser
})

const original_url = 'https://example.com/'

test('a link in the editor is explained as it stands there, and is not stored', async () => {
  const link = { original_url, rules, is_active: true }
  const explain = (visit: object) => browser.succeed('POST', '/links/resolve', { link, visit })
  expect(await explain({ country: 'DE' })).toEqual({
    outcome: 'redirect',
    url: rules[0]!.to,
    rule: 1,
    variant: 'rule 1',
    counts_as: 'click',
    why: 'Rule 1 is the first whose conditions all hold.',
    steps: ['The link is active.', 'Rule 1 matches.', 'Rule 2 is not checked.', 'It counts as a click.']
      .map((text): unknown => expect.objectContaining({ text }))
      .concat(expect.objectContaining({ text: 'Rule 1 is the first whose conditions all hold.' })),
  })
  expect(await explain({})).toMatchObject({ url: original_url, rule: null, variant: 'destination' })
  expect(await explain({ country: 'FR' })).toMatchObject({ rule: 2 })
  const input = { link: { ...link, password: 'secret' } }
  expect(await browser.succeed('POST', '/links/resolve', input)).toMatchObject({
    outcome: 'password',
    url: null,
  })
  expect(await browser.succeed('GET', '/links')).toEqual([])
})

test('a link with any code is explained where the workspace allows such codes', async () => {
  const { browser: own } = await rig.user()
  const input = { link: { original_url, custom_code: '冬セール' } }
  expect((await own.request('POST', '/links/resolve', input)).status).toBe(422)
  await own.succeed('PUT', '/workspace/settings', { unusual_codes: true })
  expect(await own.succeed('POST', '/links/resolve', input)).toMatchObject({ outcome: 'redirect' })
})

test('the editor names the device, system and browser of the visitor', async () => {
  const rule = {
    when: { device: ['mobile'], os: ['iOS'], browser: ['Safari'] },
    to: 'https://example.com/app',
  }
  const link = { original_url, rules: [rule] }
  const explain = (visit: object) => browser.succeed('POST', '/links/resolve', { link, visit })
  const phone = { device: 'mobile', os: 'ios', browser: 'Safari' }
  expect(await explain(phone)).toMatchObject({ rule: 1 })
  const { steps } = await explain({ ...phone, browser: 'Chrome' })
  expect(steps[1]).toMatchObject({
    result: 'failed',
    rule: 1,
    condition: 'browser',
    detail: "Browser is Safari: the visitor's is Chrome.",
  })
  const { status, body } = await browser.request('POST', '/links/resolve', {
    link,
    visit: { device: 'fridge', os: 'Nothing', browser: 5 },
  })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['visit.device', 'visit.os', 'visit.browser']])
})

test('errors have the names of creation, and those of the visit', async () => {
  const errorsOf = async (input: object) => {
    const { status, body } = await browser.request('POST', '/links/resolve', input)
    return [status, Object.keys(body.errors)]
  }
  const bad = { original_url, rules: [{ when: { country: ['XX'] }, to: original_url }] }
  expect(await errorsOf({ link: bad, visit: { at: 'now' } })).toEqual([
    422,
    ['rules.0.when.country.0', 'visit.at'],
  ])
  expect(await errorsOf({})).toEqual([422, ['link']])
  expect(await errorsOf({ link: { original_url }, visit: 5 })).toEqual([422, ['visit']])
})

describe('an edit of an existing link', () => {
  const explainEdit = (short_code: string, link: object, visit: object = {}) =>
    browser.request('POST', '/links/resolve', { short_code, link, visit })
  const explained = async (short_code: string, link: object, visit: object = {}) => {
    const { status, body } = await explainEdit(short_code, link, visit)
    expect(status).toBe(200)
    return body.data
  }
  const create = (link: object) => browser.succeed('POST', '/links', { original_url, ...link })

  test('is explained with what is stored, and changes nothing', async () => {
    const url = 'https://example.com/edited'
    const { short_code } = await create({ rules })
    const stored = await browser.succeed('GET', `/links/${short_code}`)
    expect(await explained(short_code, {}, { country: 'DE' })).toMatchObject({ url: rules[0]!.to, rule: 1 })
    expect(await explained(short_code, { original_url: url })).toMatchObject({ url, rule: null })
    expect(await explained(short_code, { rules: null }, { country: 'DE' })).toMatchObject({
      url: original_url,
      rule: null,
      why: 'The link has no rules, so every visitor is led to its destination.',
    })
    expect(await explained(short_code, { utm: { source: 'news' } })).toMatchObject({
      url: `${original_url}?utm_source=news`,
    })
    expect(await explained(short_code, { is_active: false })).toMatchObject({ outcome: 'disabled' })
    expect(await explained(short_code, { expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({
      outcome: 'expired',
    })
    expect(await browser.succeed('GET', `/links/${short_code}`)).toEqual(stored)
  })

  test('keeps, replaces or removes the password, as the form says', async () => {
    const { short_code } = await create({ password: 'secret' })
    const outcome = async (link: object) => (await explained(short_code, link)).outcome
    expect(await outcome({})).toBe('password')
    expect(await outcome({ password: 'another' })).toBe('password')
    expect(await outcome({ password: null })).toBe('redirect')
    const plain = await create({})
    expect(await explained(plain.short_code, { password: 'new' })).toMatchObject({ outcome: 'password' })
  })

  test('knows how much of the limit is used', async () => {
    const { short_code } = await create({ max_clicks: 1 })
    const limit = async (link: object) => {
      const { outcome, steps } = await explained(short_code, link)
      return [outcome, steps.find(({ check }: { check: string }) => check === 'limit')?.detail]
    }
    expect(await limit({})).toEqual(['redirect', '0 of 1 clicks are used.'])
    expect((await rig.call('GET', `/${short_code}`)).status).toBe(302)
    expect((await rig.call('GET', `/${short_code}`)).status).toBe(410)
    expect(await browser.succeed('GET', `/links/${short_code}?include=opened`)).toMatchObject({
      opened: 1,
      max_clicks: 1,
    })
    expect(await limit({})).toEqual(['limit_reached', '1 of 1 clicks are used.'])
    expect(await limit({ max_clicks: 2 })).toEqual(['redirect', '1 of 2 clicks are used.'])
    expect(await limit({ max_clicks: null })).toEqual(['redirect', undefined])
    expect(await explained(short_code, { fallback_url: 'https://example.com/over' })).toMatchObject({
      outcome: 'redirect',
      variant: 'fallback',
      url: 'https://example.com/over',
    })
  })

  test("knows the operator's blocks of what is stored", async () => {
    const { short_code } = await create({ original_url: 'https://blocked-later.example/' })
    await operator.succeed('POST', '/admin/blocked-hosts', { host: 'blocked-later.example' })
    expect(await explained(short_code, { title: 'New' })).toMatchObject({ outcome: 'blocked' })
    expect(await explained(short_code, { original_url })).toMatchObject({ outcome: 'redirect' })
    await operator.succeed('DELETE', '/admin/blocked-hosts/blocked-later.example')
  })

  test('of nobody, or of somebody else, is not found, with the same answer', async () => {
    const other = (await rig.user()).browser
    const foreign = await other.succeed('POST', '/links', { original_url })
    const answers = await Promise.all(
      [foreign.short_code, 'no-such-link', ''].map((code) => explainEdit(code, { title: 'Mine' })),
    )
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({
        status: 404,
        body: { success: false, code: 'link_not_found', message: 'Link not found.', errors: {} },
      })
  })

  test('is refused like the edit itself', async () => {
    const { short_code } = await create({ expires_at: '2030-01-01T00:00:00Z' })
    const fieldsOf = async (link: object) => {
      const { status, body } = await explainEdit(short_code, link)
      return [status, Object.keys(body.errors)]
    }
    expect(await fieldsOf({ starts_at: '2031-01-01T00:00:00Z' })).toEqual([422, ['starts_at']])
    expect(await fieldsOf({ original_url: '' })).toEqual([422, ['original_url']])
    expect(await fieldsOf({ custom_code: 'another' })).toEqual([422, ['custom_code']])
    const { status, body } = await browser.request('POST', '/links/resolve', {
      short_code: 5,
      link: { original_url },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['short_code']])
  })
})

test('a rule to a host that the operator blocks later is blocked, and the other ones go on', async () => {
  await browser.succeed('POST', '/links', { original_url, rules, custom_code: 'rules-later' })
  const explain = (country: string) => browser.succeed('GET', `/links/rules-later/resolve?country=${country}`)
  const unblocked = rules.slice(0, 1).concat({ to: 'https://later.example/all' } as never)
  await browser.succeed('POST', '/links', { original_url, rules: unblocked, custom_code: 'rules-all' })
  expect((await rig.call('GET', '/rules-all')).headers.get('location')).toBe('https://later.example/all')

  await operator.succeed('POST', '/admin/blocked-hosts', { host: 'later.example' })
  const blocked = await eventually(
    () => rig.call('GET', '/rules-all'),
    ({ status }) => status === 410,
  )
  expect(blocked.headers.get('location')).toBeNull()
  for (const country of ['DE', 'FR'])
    expect(await explain(country)).toMatchObject({ outcome: 'blocked', url: null })
  expect(await explain('US')).toMatchObject({ outcome: 'redirect', url: original_url })
  expect((await rig.call('GET', '/rules-later')).status).toBe(302)
  const { status, body } = await browser.request('POST', '/links', { original_url, rules })
  expect([status, Object.keys(body.errors)]).toEqual([
    422,
    ['rules.0.to', 'rules.1.split.0.to', 'rules.1.split.1.to'],
  ])

  await operator.succeed('DELETE', '/admin/blocked-hosts/later.example')
  await eventually(
    () => rig.call('GET', '/rules-all'),
    ({ status }) => status === 302,
  )
})

const rules = [
  { when: { country: ['DE'] }, to: 'https://later.example/de' },
  {
    when: { country: ['FR'] },
    split: ['a', 'b'].map((name) => ({ to: `https://${name}.later.example/`, weight: 1 })),
  },
]
