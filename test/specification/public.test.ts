import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { createUnasked, UNHEARD } from '../rigs/service/creation.ts'
import { eventually } from '../rigs/eventually.ts'
import { newLinkTo } from '../rigs/redirect/new-link-to.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  GOOGLEBOT,
  LINK_NOT_FOUND,
  makeLink,
  open,
  statusAndBody,
  TIMESTAMP,
  useOwnContractRig,
} from './contract-rig.ts'

const rig = useOwnContractRig({ PUBLIC_STATS_TTL: '0' })
const caller = useCaller(rig)

const stats = async () => (await rig.call('GET', '/api/stats/public')).body

describe('the public information of a link', () => {
  test('has four fields, for anybody', async () => {
    await makeLink(rig, caller, { custom_code: 'known', title: 'Known' })
    expect(statusAndBody(await rig.call('GET', '/api/info/known'))).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Link retrieved.',
        data: { short_code: 'known', original_url: DESTINATION, title: 'Known', is_active: true },
      },
    })
  })

  test('includes inactive links, and follows every change at once', async () => {
    const { short_code } = await makeLink(rig, caller, { title: 'Before' })
    const info = async () => (await rig.call('GET', `/api/info/${short_code}`)).body.data
    await rig.call('POST', `/api/links/${short_code}/toggle`, { key: caller.key })
    expect(await info()).toMatchObject({ is_active: false, title: 'Before' })
    const body = { title: 'After', original_url: `${DESTINATION}?after` }
    await rig.call('PUT', `/api/links/${short_code}`, { key: caller.key, body })
    expect(await info()).toEqual({ short_code, ...body, is_active: false })
  })

  test('is 404 for a code that is unknown or invalid', async () => {
    for (const code of ['never-made', 'x', 'a.b', '%C3%A9', 'KNOWN'])
      expect(statusAndBody(await rig.call('GET', `/api/info/${code}`))).toEqual({
        status: 404,
        body: LINK_NOT_FOUND,
      })
  })

  test('is not a click', async () => {
    const { short_code } = await makeLink(rig, caller)
    await rig.call('GET', `/api/info/${short_code}`)
    await open(rig, short_code)
    const read = () => rig.call('GET', `/api/links/${short_code}`, { key: caller.key })
    expect((await eventually(read, ({ body }) => body.data.click_count > 0)).body.data.click_count).toBe(1)
  })
})

describe('the health check', () => {
  test('is a bare object of status, time and version', async () => {
    expect(statusAndBody(await rig.call('GET', '/api/health'))).toEqual({
      status: 200,
      body: { status: 'ok', timestamp: expect.stringMatching(TIMESTAMP), version: '1.2.0.1' },
    })
  })
})

describe('the public statistics', () => {
  test('are a bare object of three integers, which follow what happens', async () => {
    const before = await stats()
    expect(before).toEqual({
      total_links: expect.any(Number),
      total_clicks: expect.any(Number),
      active_users: expect.any(Number),
    })
    const { short_code } = await makeLink(rig, await rig.makeCaller())
    await makeLink(rig, caller, { is_active: false })
    await open(rig, short_code)
    await open(rig, short_code, { 'User-Agent': GOOGLEBOT })
    const after = await eventually(stats, ({ total_clicks }) => total_clicks > before.total_clicks)
    expect(after).toEqual({
      total_links: before.total_links + 2,
      total_clicks: before.total_clicks + 1,
      active_users: before.active_users + 1,
    })
  })

  test('keep the clicks of deleted links, but not the links', async () => {
    const { short_code } = await makeLink(rig, caller)
    const before = await stats()
    await open(rig, short_code)
    await eventually(stats, ({ total_clicks }) => total_clicks > before.total_clicks)
    await rig.call('DELETE', `/api/links/${short_code}`, { key: caller.key })
    expect(await stats()).toMatchObject({
      total_links: before.total_links - 1,
      total_clicks: before.total_clicks + 1,
    })
  })

  test('count a verified account as active when its link was clicked by a human, not by a bot', async () => {
    const { active_users: before } = await stats()
    const owner = await rig.makeCaller()
    const code = await linkWithoutRequest(owner)
    const bots = () =>
      rig.store.db
        .selectFrom('workspace_totals')
        .selectAll()
        .where('workspace_id', '=', owner.workspaceId)
        .execute()
    await open(rig, code, { 'User-Agent': GOOGLEBOT })
    await eventually(bots, (rows) => rows.length === 1)
    expect((await stats()).active_users).toBe(before)
    await open(rig, code)
    expect((await eventually(stats, ({ active_users }) => active_users > before)).active_users).toBe(
      before + 1,
    )
  })

  test('count no account without a verified email address', async () => {
    const { active_users: before } = await stats()
    const { key } = await rig.makeCaller({ isVerified: false })
    expect((await rig.call('GET', '/api/account', { key })).status).toBe(403)
    expect((await stats()).active_users).toBe(before)
  })
})

test.each([
  ['/api/info/CODE', 200],
  ['/api/stats/public', 200],
  ['/api/health', 200],
  ['/qr/CODE', 200],
  ['/CODE', 302],
])('%s needs no key, and ignores one that is sent, even a bad one', async (template, status) => {
  const path = template.replace('CODE', (await makeLink(rig, caller)).short_code)
  const unverified = await rig.makeCaller({ isVerified: false })
  for (const key of [caller.key, unverified.key, 'bad', ''])
    expect((await rig.call('GET', path, { key })).status).toBe(status)
  for (const target of [path, `${path}?api_key=bad`])
    expect((await rig.call('GET', target)).status).toBe(status)
})

test('every API response has a request ID and may not be stored', async () => {
  const ids = new Set<string | null>()
  const paths = ['/api/health', '/api/links', '/api/nothing', '/api/info/never-made', '/api/stats/public']
  for (const path of paths) {
    const { headers } = await rig.call('GET', path)
    expect(headers.get('cache-control')).toBe('no-store')
    ids.add(headers.get('x-request-id'))
  }
  expect(ids).not.toContain(null)
  expect(ids.size).toBe(paths.length)
})

test('every API response names the version of the specification', async () => {
  const { key } = caller
  for (const path of [
    '/api/health',
    '/api/links',
    '/api/nothing',
    '/api/info/never-made',
    '/api/openapi.json',
  ])
    for (const options of [{}, { key }])
      expect((await rig.call('GET', path, options)).headers.get('x-api-version')).toBe('1.2.0.1')
})

/** A link that its owner has not made by a request: by the command line, say. */
async function linkWithoutRequest(owner: TestCaller): Promise<string> {
  const deps = { db: rig.store.db, clock: systemClock, ...UNHEARD }
  const [created] = await createUnasked(deps, owner, [newLinkTo(DESTINATION)])
  return created!.link.code
}
