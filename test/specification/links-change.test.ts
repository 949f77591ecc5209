import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  makeLink,
  open,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

const UPDATED = { status: 200, body: { success: true, message: 'Link updated.' } }

describe('a read link', () => {
  test('is shown with every field of a listed one', async () => {
    const { svc_id: _, ...link } = await makeLink(rig, caller, { title: 'Read me' })
    const answer = await rig.call('GET', `/api/links/${link.short_code}`, { key: caller.key })
    expect(statusAndBody(answer)).toEqual({
      status: 200,
      body: { success: true, message: 'Link retrieved.', data: link },
    })
  })
})

describe('an update', () => {
  test('changes destination, title and state together, and the response has no data', async () => {
    const { svc_id: _, ...link } = await makeLink(rig, caller)
    const change = { original_url: `${DESTINATION}?2`, title: 'Second', is_active: false }
    expect(statusAndBody(await put(link.short_code, change))).toEqual(UPDATED)
    expect(await read(link.short_code)).toEqual({ ...link, ...change, status: 'disabled' })
  })

  const partial: [what: string, change: Record<string, unknown>, shown: Record<string, unknown>][] = [
    ['nothing when it is empty', {}, {}],
    ['the destination alone', { original_url: `${DESTINATION}?2` }, { original_url: `${DESTINATION}?2` }],
    ['the destination under the name url', { url: `${DESTINATION}?2` }, { original_url: `${DESTINATION}?2` }],
    ['the title alone', { title: 'Second' }, { title: 'Second' }],
    ['the title to nothing with null', { title: null }, { title: '' }],
    ['the title to nothing with an empty one', { title: '' }, { title: '' }],
    ['the state alone', { is_active: false }, { is_active: false }],
    ['nothing when the state is as before', { is_active: true }, {}],
  ]
  test.each(partial)('changes %s', async (_what, change, shown) => {
    const { svc_id: _, ...link } = await makeLink(rig, caller, { title: 'First' })
    expect(statusAndBody(await put(link.short_code, change))).toEqual(UPDATED)
    const status = 'is_active' in shown ? 'disabled' : 'active'
    expect(await read(link.short_code)).toEqual({ ...link, ...shown, status })
  })

  test('ignores fields that are read-only or unknown, and the code when it is the same', async () => {
    const { svc_id: _, ...link } = await makeLink(rig, caller)
    const change = {
      id: 1,
      svc_id: 'svc_mine',
      short_code: 'mine',
      custom_code: link.short_code,
      click_count: 9,
      created_at: '2000-01-01T00:00:00.000000Z',
      workspace_id: stranger.workspaceId,
      surprise: [],
    }
    const { status, body } = await put(link.short_code, change)
    const message = 'Link updated. Unknown fields were ignored: workspace_id, surprise.'
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message } })
    expect(await read(link.short_code)).toEqual(link)
  })

  const refused: [what: string, change: Record<string, unknown>, errors: Record<string, string[]>][] = [
    [
      'a destination of null',
      { original_url: null },
      { original_url: ['The original url must be a string.'] },
    ],
    ['a url of null', { url: null }, { url: ['The url must be a string.'] }],
    ['a state of null', { is_active: null }, { is_active: ['The is active field must be true or false.'] }],
    ['another code', { custom_code: 'other' }, { custom_code: ['The custom code cannot be changed.'] }],
  ]
  test.each(refused)('is refused and changes nothing with %s', async (_what, change, errors) => {
    const { svc_id: _, ...link } = await makeLink(rig, caller, { title: 'First' })
    const answer = await put(link.short_code, { original_url: undefined, title: 'Second', ...change })
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
    expect(await read(link.short_code)).toEqual(link)
  })
})

describe('a toggle', () => {
  test('returns the new state, which applies to reads and visitors at once', async () => {
    const { short_code } = await makeLink(rig, caller)
    for (const isActive of [false, true, false]) {
      expect(statusAndBody(await toggle(short_code))).toEqual({
        status: 200,
        body: {
          success: true,
          message: isActive ? 'Link activated.' : 'Link deactivated.',
          data: { is_active: isActive },
        },
      })
      expect((await open(rig, short_code)).status).toBe(isActive ? 302 : 404)
      expect((await read(short_code)).is_active).toBe(isActive)
    }
  })

  test('alternates: of 100 at the same moment 50 return true and 50 false', async () => {
    const { short_code } = await makeLink(rig, caller)
    const active = await activeLinks()
    const answers = await Promise.all(Array.from({ length: 100 }, () => toggle(short_code)))
    const states = answers.map(({ body }) => body.data.is_active)
    expect(states.filter((isActive) => isActive === true)).toHaveLength(50)
    expect(states.filter((isActive) => isActive === false)).toHaveLength(50)
    expect((await read(short_code)).is_active).toBe(true)
    expect(await activeLinks()).toBe(active)
  })
})

describe('an update of the state', () => {
  test('counts once however often it is sent at the same moment', async () => {
    const { short_code } = await makeLink(rig, caller)
    const active = await activeLinks()
    await Promise.all(Array.from({ length: 20 }, () => put(short_code, { is_active: false })))
    expect(await activeLinks()).toBe(active - 1)
  })
})

describe('a deletion', () => {
  test('has a response body, and the link no longer exists anywhere', async () => {
    const { short_code } = await makeLink(rig, caller, { title: 'Short-lived' })
    const before = await countLinks(rig, caller)
    const answer = await rig.call('DELETE', `/api/links/${short_code}`, { key: caller.key })
    expect(statusAndBody(answer)).toEqual({ status: 200, body: { success: true, message: 'Link deleted.' } })
    expect(await countLinks(rig, caller)).toBe(before - 1)
    for (const path of [`/${short_code}`, `/api/info/${short_code}`, `/qr/${short_code}`])
      expect((await rig.call('GET', path)).status).toBe(404)
    const found = await rig.call('GET', '/api/links?search=short-lived', { key: caller.key })
    expect(found.body.data).toEqual([])
  })

  test('happens once: of 20 at the same moment one succeeds, and the link is subtracted once', async () => {
    const { short_code } = await makeLink(rig, caller)
    const before = await countLinks(rig, caller)
    const remove = () => rig.call('DELETE', `/api/links/${short_code}`, { key: caller.key })
    const statuses = (await Promise.all(Array.from({ length: 20 }, remove))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(19).fill(404)])
    expect(await countLinks(rig, caller)).toBe(before - 1)
  })
})

const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data
const put = (code: string, body: unknown, { key } = caller) =>
  rig.call('PUT', `/api/links/${code}`, { key, body })
const toggle = (code: string) => rig.call('POST', `/api/links/${code}/toggle`, { key: caller.key })
const activeLinks = async () =>
  (await rig.call('GET', '/api/analytics/overview', { key: caller.key })).body.data.overview.active_links
