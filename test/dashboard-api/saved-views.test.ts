import { describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/access/roles-and-scopes.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, type TestUser, useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { readListQuery, writeView } from '../../dashboard/links/list/list-query.ts'
import { invalid, refusal, TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const owner = useUser(rig)

const NOT_FOUND = refusal('view_not_found', 'View not found.')
/** As the dashboard writes it. */
const EVERY_FILTER =
  'search=a&status=active&status=expired&tag=Winter+2026&tag=B2B&folder=Campaigns&tag_mode=all' +
  '&created_from=2026-11-01&created_to=2026-11-30&ends_in_days=14&archived=include&sort=clicks&order=asc&columns=clicks&per_page=50'

describe('a saved view', () => {
  test('is listed as it was saved, and keeps only what belongs to a list', async () => {
    const user = await rig.user()
    const query = '?search=caf%C3%A9%20au&tag=1&tag=2&page=7&order=newest&evil=1&columns=clicks'
    const id = await save(user, { name: ' Winter ', query })
    expect(await viewsOf(user)).toEqual([
      {
        id,
        name: 'Winter',
        query: 'search=caf%C3%A9+au&tag=1&tag=2&order=newest&columns=clicks',
        is_shared: false,
        is_own: true,
        saved_by: user.name,
        created_at: expect.stringMatching(TIMESTAMP),
      },
    ])
  })

  test('keeps all that the list of the dashboard has in its URL, but for the page', async () => {
    const user = await rig.user()
    const query = writeView(readListQuery(new URLSearchParams(EVERY_FILTER)))
    expect(String(query)).toBe(EVERY_FILTER)
    await save(user, { name: 'Everything', query: `${query}&page=2&view=1` })
    expect((await viewsOf(user))[0].query).toBe(EVERY_FILTER)
  })

  test('is renamed, shared and updated by name, and deleted', async () => {
    const user = await rig.user()
    const id = await save(user, { name: 'Winter', query: 'status=active' })
    const path = `/views/${id}`
    const current = async () => (await viewsOf(user))[0]
    await user.browser.succeed('PUT', path, { name: 'Summer' })
    expect(await current()).toMatchObject({ name: 'Summer', query: 'status=active', is_shared: false })
    await user.browser.succeed('PUT', path, { is_shared: true })
    await user.browser.succeed('PUT', path, { query: 'search=sun' })
    await user.browser.succeed('PUT', path, {})
    expect(await current()).toMatchObject({ name: 'Summer', query: 'search=sun', is_shared: true })
    await user.browser.succeed('DELETE', path)
    expect(await viewsOf(user)).toEqual([])
    expect(await send(user, 'DELETE', path)).toEqual([404, NOT_FOUND])
    expect(await send(user, 'PUT', path, { name: '' })).toEqual([404, NOT_FOUND])
  })

  test.each([
    ['a name', { name: ' ' }, { name: ['The name field is required.'] }],
    ['a short name', { name: 'x'.repeat(61) }, { name: ['The name may not be greater than 60 characters.'] }],
    [
      'a short query',
      { query: 'search='.padEnd(2001, 'x') },
      { query: ['The query may not be greater than 2000 characters.'] },
    ],
    [
      'a query that stays short',
      { query: 'search='.padEnd(1000, 'é') },
      { query: ['The query may not be greater than 2000 characters.'] },
    ],
    ['a query', { query: 'search=%zz' }, { query: ['The query must be the query of a URL.'] }],
    ['a text', { query: 7 }, { query: ['The query must be a string.'] }],
    ['a switch', { is_shared: 'yes' }, { is_shared: ['The is shared field must be true or false.'] }],
    ['known fields', { user_id: 1 }, { user_id: ['The user id field is unknown.'] }],
  ])('needs %s', async (_, sent, errors) => {
    const view = { name: 'Good', query: 'status=active' }
    const before = await viewsOf(owner)
    expect(await send(owner, 'POST', '/views', { ...view, ...sent })).toEqual([422, invalid(errors)])
    expect(await viewsOf(owner)).toEqual(before)
    const id = await save(owner, view)
    expect(await send(owner, 'PUT', `/views/${id}`, sent)).toEqual([422, invalid(errors)])
    expect((await viewsOf(owner)).at(-1)).toMatchObject(view)
  })
})

describe('other members', () => {
  test('see shared views, and change none; admins delete them', async () => {
    const [editor, viewer, admin] = [
      await memberAs('editor'),
      await memberAs('viewer'),
      await memberAs('admin'),
    ]
    const shared = await save(editor, { name: 'Shared', is_shared: true })
    const own = await save(editor, { name: 'Own' })
    expect(await namesOf(viewer)).toContain('Shared')
    expect((await viewsOf(viewer)).find(({ id }: { id: number }) => id === shared)).toMatchObject({
      is_own: false,
      saved_by: editor.name,
    })
    for (const member of [viewer, admin]) {
      expect(await namesOf(member)).not.toContain('Own')
      expect(await send(member, 'PUT', `/views/${shared}`, { name: 'Mine' })).toEqual([404, NOT_FOUND])
      expect(await send(member, 'DELETE', `/views/${own}`)).toEqual([404, NOT_FOUND])
    }
    expect(await send(viewer, 'DELETE', `/views/${shared}`)).toEqual([404, NOT_FOUND])
    expect(await namesOf(editor)).toEqual(expect.arrayContaining(['Shared', 'Own']))
    await admin.browser.succeed('DELETE', `/views/${shared}`)
    expect(await namesOf(editor)).not.toContain('Shared')
  })

  test('who only view save views of their own, and share none', async () => {
    const viewer = await memberAs('viewer')
    const refused = invalid({ is_shared: ['Your role in this workspace does not allow sharing views.'] })
    expect(await send(viewer, 'POST', '/views', { name: 'V', query: '', is_shared: true })).toEqual([
      422,
      refused,
    ])
    const id = await save(viewer, { name: 'Just mine' })
    expect(await send(viewer, 'PUT', `/views/${id}`, { is_shared: true })).toEqual([422, refused])
    expect(await namesOf(viewer)).toContain('Just mine')
    expect(await namesOf(owner)).not.toContain('Just mine')
  })

  test('who delete their account take their views with them', async () => {
    const editor = await memberAs('editor')
    await save(editor, { name: 'Gone soon', is_shared: true })
    expect(await namesOf(owner)).toContain('Gone soon')
    await editor.browser.succeed('DELETE', '/account', { password: PASSWORD })
    const kept = await rig.store.db.selectFrom('saved_views').select('name').execute()
    expect(kept.map(({ name }) => name)).not.toContain('Gone soon')
  })
})

test('a user has at most 100 views, also when they are saved at the same time', async () => {
  const user = await rig.user()
  const answers = await Promise.all(
    Array.from({ length: 105 }, (_, i) => send(user, 'POST', '/views', { name: `View ${i}`, query: '' })),
  )
  const refused = answers.filter(([status]) => status !== 201)
  const full = [422, invalid({ name: ['You can save up to 100 views. Delete one first.'] })]
  expect(refused).toEqual(Array.from({ length: 5 }, () => full))
  expect(await viewsOf(user)).toHaveLength(100)
})

const memberAs = (role: MemberRole) => memberOf(rig, owner, role)

const viewsOf = ({ browser }: TestUser) => browser.succeed('GET', '/views')
const namesOf = async (user: TestUser) => (await viewsOf(user)).map(({ name }: { name: string }) => name)
const save = async ({ browser }: TestUser, view: object): Promise<number> =>
  (await browser.succeed('POST', '/views', { query: '', ...view })).id
const send = async ({ browser }: TestUser, method: string, path: string, body?: object) => {
  const { status, body: answer } = await browser.request(method, path, body)
  return [status, answer]
}
