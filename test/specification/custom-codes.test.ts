import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  LINK_NOT_FOUND,
  makeLink,
  open,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

const TAKEN = invalid({ custom_code: ['The custom code has already been taken.'] })
const LENGTH = 'The custom code must be between 3 and 64 characters.'
const CHARACTERS = 'The custom code may only contain letters, numbers, dashes and underscores.'

describe('a custom code', () => {
  test('may have 3 to 64 letters, digits, dashes and underscores, and identifies the link in paths', async () => {
    for (const code of ['a-1', '_-_', '123', 'Z'.repeat(64)]) {
      expect((await makeLink(rig, caller, { custom_code: code })).short_code).toBe(code)
      const read = await rig.call('GET', `/api/links/${code}`, { key: caller.key })
      expect(read.body.data.short_code).toBe(code)
    }
  })

  test('is case-sensitive', async () => {
    const lower = await makeLink(rig, caller, { custom_code: 'casing' })
    const upper = await makeLink(rig, stranger, {
      custom_code: 'CASING',
      original_url: `${DESTINATION}?upper`,
    })
    expect(upper.id).not.toBe(lower.id)
    expect((await open(rig, 'casing')).headers.get('location')).toBe(DESTINATION)
    expect((await open(rig, 'CASING')).headers.get('location')).toBe(`${DESTINATION}?upper`)
  })

  const refused: [what: string, code: unknown, faults: string[]][] = [
    ['is too short', 'ab', [LENGTH]],
    ['is too long', 'a'.repeat(65), [LENGTH]],
    ['is empty', '', [LENGTH]],
    ['has a dot', 'a.b.c', [CHARACTERS]],
    ['has a slash', 'abc/def', [CHARACTERS]],
    ['has a letter beyond ASCII', 'straße', [CHARACTERS]],
    ['ends with a newline', 'abc\n', [CHARACTERS]],
    ['is no string', 123, ['The custom code must be a string.']],
    ['is a path of ours', 'dashboard', ['The custom code is reserved.']],
    ['is a path of ours in another case', 'ApI', ['The custom code is reserved.']],
    ['could speak for the service', 'login', ['The custom code is reserved.']],
  ]
  test.each(refused)('is refused and nothing is stored when it %s', async (_what, code, faults) => {
    const before = await countLinks(rig, caller)
    const answer = await claim(caller, code)
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid({ custom_code: faults }) })
    expect(await countLinks(rig, caller)).toBe(before)
  })

  test('that is taken is refused to its owner and to others, and the link stays unchanged', async () => {
    const link = await makeLink(rig, caller, { custom_code: 'taken-1' })
    for (const who of [caller, stranger]) {
      const before = await countLinks(rig, who)
      expect(statusAndBody(await claim(who, 'taken-1'))).toEqual({ status: 422, body: TAKEN })
      expect(await countLinks(rig, who)).toBe(before)
    }
    const read = await rig.call('GET', '/api/links/taken-1', { key: caller.key })
    expect(read.body.data.id).toBe(link.id)
  })

  test('that was refused for another error stays free', async () => {
    const answer = await rig.call('POST', '/api/links', {
      key: caller.key,
      body: { original_url: 'nowhere', custom_code: 'still-free' },
    })
    expect(answer.status).toBe(422)
    expect((await claim(stranger, 'still-free')).status).toBe(201)
  })

  test('is given once when 50 requests claim it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => claim(i % 2 === 0 ? caller : stranger, 'contested')),
    )
    const made = answers.filter(({ status }) => status === 201)
    const others = answers.filter(({ status }) => status !== 201)
    expect(made).toHaveLength(1)
    expect(others.map(statusAndBody)).toEqual(Array(49).fill({ status: 422, body: TAKEN }))
  })
})

describe('the code of a deleted link', () => {
  test('is refused to another account with the same response as a taken one', async () => {
    await makeLink(rig, caller, { custom_code: 'buried' })
    await remove(caller, 'buried')
    const before = await countLinks(rig, stranger)
    expect(statusAndBody(await claim(stranger, 'buried'))).toEqual({ status: 422, body: TAKEN })
    expect(await countLinks(rig, stranger)).toBe(before)
    expect((await open(rig, 'buried')).status).toBe(404)
  })

  test('is refused to another account in bulk, with the whole request', async () => {
    await makeLink(rig, caller, { custom_code: 'buried-bulk' })
    await remove(caller, 'buried-bulk')
    const before = await countLinks(rig, stranger)
    const answer = await rig.call('POST', '/api/bulk-shorten', {
      key: stranger.key,
      body: {
        links: [{ original_url: DESTINATION }, { original_url: DESTINATION, custom_code: 'buried-bulk' }],
      },
    })
    expect(statusAndBody(answer)).toEqual({
      status: 422,
      body: invalid({ 'links.1.custom_code': ['The custom code has already been taken.'] }),
    })
    expect(await countLinks(rig, stranger)).toBe(before)
  })

  test('is never assigned and stays recorded as its owner’s', async () => {
    const { short_code } = await makeLink(rig, caller)
    await remove(caller, short_code)
    const rows = await rig.store.db
      .selectFrom('codes')
      .select(['code', 'workspace_id'])
      .where('code', '=', short_code)
      .execute()
    expect(rows).toEqual([{ code: short_code, workspace_id: caller.workspaceId }])
    expect(statusAndBody(await claim(stranger, short_code))).toEqual({ status: 422, body: TAKEN })
  })

  test('is refused while the link is in the trash, also as an alias, and is there to restore', async () => {
    const { short_code: own, aliases } = await makeLink(rig, caller, { aliases: ['trashed-alias'] })
    await remove(caller, own)
    const other = await makeLink(rig, caller)
    for (const code of [own, ...aliases]) {
      const sentence = (name: string) =>
        `The ${name} is that of a link in the trash. Restore the link or delete it for good.`
      const asCode = invalid({ custom_code: [sentence('custom code')] })
      expect(statusAndBody(await claim(caller, code))).toEqual({ status: 422, body: asCode })
      expect(statusAndBody(await claim(stranger, code))).toEqual({ status: 422, body: TAKEN })
      const asAlias = invalid({ 'aliases.0': [sentence('alias')] })
      const body = { original_url: DESTINATION, aliases: [code] }
      const requests = [
        ['POST', '/api/links'],
        ['PUT', `/api/links/${other.short_code}`],
      ] as const
      for (const [method, path] of requests)
        expect(statusAndBody(await rig.call(method, path, { key: caller.key, body }))).toEqual({
          status: 422,
          body: asAlias,
        })
    }
    const restored = await rig.call('POST', `/api/links/${own}/restore`, { key: caller.key })
    expect(restored.body.data).toMatchObject({ short_code: own, aliases })
  })

  test('may be claimed again by its owner once it is deleted for good: a new ID, no clicks, and none of the old analytics', async () => {
    const analytics = () => rig.call('GET', '/api/analytics/links/phoenix', { key: caller.key })
    const old = await makeLink(rig, caller, { custom_code: 'phoenix', title: 'Old' })
    await open(rig, 'phoenix')
    await eventually(analytics, ({ body }) => body.data.total_clicks === 1)
    await remove(caller, 'phoenix')
    expect(statusAndBody(await analytics())).toEqual({ status: 404, body: LINK_NOT_FOUND })

    await rig.call('DELETE', '/api/trash/phoenix', { key: caller.key })
    const anew = await makeLink(rig, caller, { custom_code: 'phoenix', original_url: `${DESTINATION}?new` })
    expect(anew.id).toBeGreaterThan(old.id)
    expect(anew).toMatchObject({ click_count: 0, title: '' })
    const { data } = (await analytics()).body
    expect(data).toMatchObject({ total_clicks: 0, unique_visitors: 0, last_clicked_at: null, browsers: [] })
    expect((await open(rig, 'phoenix')).headers.get('location')).toBe(`${DESTINATION}?new`)
    const counted = await eventually(analytics, ({ body }) => body.data.total_clicks > 0)
    expect(counted.body.data.total_clicks).toBe(1)
  })
})

const claim = ({ key }: TestCaller, custom_code: unknown) =>
  rig.call('POST', '/api/links', { key, body: { original_url: DESTINATION, custom_code } })
const remove = ({ key }: TestCaller, code: string) => rig.call('DELETE', `/api/links/${code}`, { key })
