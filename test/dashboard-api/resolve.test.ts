import { beforeAll, expect, test } from 'bun:test'
import { type Browser, useDashboardRig } from '../rigs/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'

const rig = useDashboardRig()
let operator: Browser
let browser: Browser

beforeAll(async () => {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
  browser = (await rig.user()).browser
})

const original_url = 'https://example.com/'
const rules = [
  { when: { country: ['DE'] }, to: 'https://later.example/de' },
  {
    when: { country: ['FR'] },
    split: ['a', 'b'].map((name) => ({ to: `https://${name}.later.example/`, weight: 1 })),
  },
]

test('a link in the editor is explained as it stands there, and is not stored', async () => {
  const link = { original_url, rules, is_active: true }
  const explain = (visit: object) => browser.succeed('POST', '/links/resolve', { link, visit })
  expect(await explain({ country: 'DE' })).toEqual({
    ...{ outcome: 'redirect', url: rules[0]!.to, rule: 1, variant: 'rule 1' },
    why: 'Rule 1 is the first whose conditions all hold.',
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
