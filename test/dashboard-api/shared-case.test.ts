import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useOwnDashboardRig()
let operator: Browser
let user: TestUser
beforeAll(addUsers)

const BASE = 'localhost'
const SHARED = 'shared-case.example'

describe.each([BASE, SHARED])('on %s, which is the operator’s', (host) => {
  test('case counts until only the operator has it ignored', async () => {
    await create(host, { custom_code: 'Poster', aliases: ['Flyer'] })
    expect([await location(host, 'Poster'), await location(host, 'poster')]).toEqual([TO, undefined])
    const own = await user.browser.request('PUT', `/domains/${host}`, { case_insensitive: true })
    expect([own.status, own.body.code]).toEqual([403, 'operator_required'])
    expect((await user.browser.request('PUT', `/admin/domains/${host}`, ON)).status).toBe(403)
    expect(await isIgnored(host)).toBe(false)
  })

  test('it is not ignored while codes of links differ in it only', async () => {
    for (const custom_code of ['Twin', 'twin']) await create(host, { custom_code })
    expect(await refused(host)).toEqual([
      'Some codes differ in their case only: Twin and twin. Delete one of each, or move it to another domain, first.',
    ])
    expect([await isIgnored(host), await location(host, 'tWIN')]).toEqual([false, undefined])
    await user.browser.succeed('DELETE', `/links/twin?domain=${host}`)
  })

  test('links open in any case once it is ignored, and show how they were written', async () => {
    await operator.succeed('PUT', `/admin/domains/${host}`, ON)
    expect(await isIgnored(host)).toBe(true)
    for (const code of ['Poster', 'poster', 'POSTER', 'flyer', 'FLYER', 'pOsTeR/', 'POSTER.'])
      expect([code, await location(host, code)]).toEqual([code, TO])
    const link = await user.browser.succeed('GET', `/links/POSTER?domain=${host}`)
    expect([link.short_code, link.aliases]).toEqual(['Poster', ['flyer']])
    const { status } = await user.browser.request('POST', '/links', linkOn(host, { custom_code: 'POSTER' }))
    expect(status).toBe(422)
    const twice = { aliases: ['Next', 'NEXT'] }
    expect(
      (await user.browser.request('PUT', `/links/poster?domain=${host}`, twice)).body.errors,
    ).toHaveProperty(['aliases.1'])
    expect((await create(host, {})).short_code).toMatch(/^[2-9a-z]+$/)
    const filter = `/analytics?dimensions=country&short_code=POSTER&domain=${host}`
    expect((await user.browser.request('GET', filter)).status).toBe(200)
    const [entry] = await user.browser.succeed('GET', '/audit-log?action=domain.updated')
    expect(entry).toMatchObject({
      target: host,
      actor: 'User operator',
      changes: { case_insensitive: { to: true } },
    })
  })

  test('it stays ignored, and being said again changes nothing', async () => {
    await operator.succeed('PUT', `/admin/domains/${host}`, ON)
    const off = await operator.request('PUT', `/admin/domains/${host}`, { case_insensitive: false })
    expect([off.status, Object.keys(off.body.errors)]).toEqual([422, ['case_insensitive']])
  })
})

test('it is not ignored while codes of several workspaces differ in it only, also without links', async () => {
  await operator.succeed('POST', '/admin/domains', { host: 'several.example' })
  await create('several.example', { custom_code: 'mine' })
  const other = await rig.user()
  await create('several.example', { custom_code: 'MINE' }, other.browser)
  await other.browser.succeed('DELETE', '/links/MINE?domain=several.example')
  expect(await refused('several.example')).toEqual([
    'Some codes of different workspaces differ in their case only: MINE and mine. Each stays with its workspace, also without a link, so case cannot be ignored.',
  ])
})

test('what a member sends of the domain of BASE_URL as it is changes nothing', async () => {
  const same = { case_insensitive: await isIgnored(BASE) }
  await user.browser.succeed('PUT', `/domains/${BASE}`, same)
  const { status } = await user.browser.request('PUT', `/domains/${BASE}`, { case_insensitive: false })
  expect([status, await isIgnored(BASE)]).toEqual([403, true])
})

test('a domain that is not the operator’s is not found', async () => {
  expect((await operator.request('PUT', '/admin/domains/nowhere.example', ON)).status).toBe(404)
})

const ON = { case_insensitive: true }
const TO = 'https://example.com/case'

const linkOn = (domain: string, fields: object) => ({ original_url: TO, domain, ...fields })

const create = (host: string, fields: object, browser = user.browser) =>
  browser.succeed('POST', '/links', linkOn(host, fields))

const refused = async (host: string) =>
  (await operator.request('PUT', `/admin/domains/${host}`, ON)).body.errors.case_insensitive

const isIgnored = async (host: string): Promise<boolean> =>
  (await user.browser.succeed('GET', '/domains')).find((domain: { host: string }) => domain.host === host)
    .case_insensitive

async function location(host: string, code: string): Promise<string | undefined> {
  const { headers } = await rig.call('GET', `/${code}`, { headers: { Host: host } })
  return headers.get('location') ?? undefined
}

async function addUsers(): Promise<void> {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
  user = await rig.user()
  await operator.succeed('POST', '/admin/domains', { host: SHARED })
}
