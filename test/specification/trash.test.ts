import { describe, expect, test } from 'bun:test'
import { forgetDeletedLinks } from '../../src/links/trash/forget-deleted-links.ts'
import { checkCounters } from '../../src/clicks/repair/check-counters.ts'
import { DAY_US, systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../rigs/eventually.ts'
import { renameInTrash } from '../rigs/store/renamed-in-trash.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  LINK_NOT_FOUND,
  makeLink,
  open,
  statusAndBody,
  TIMESTAMP,
  useOwnContractRig,
} from './contract-rig.ts'

const rig = useOwnContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('a deleted link', () => {
  test('is in the trash with all it had, the last deleted first, in pages', async () => {
    const {
      svc_id: _,
      status: _status,
      ...link
    } = await makeLink(rig, caller, {
      title: 'Into the trash',
      notes: 'with notes',
      expires_at: '2199-01-01T00:00:00Z',
    })
    const later = await makeLink(rig, caller, { is_active: false })
    for (const { short_code: code } of [link, later]) expect((await remove(code)).status).toBe(200)
    const deletedAt = expect.stringMatching(TIMESTAMP)
    const all = await trash()
    expect(all).toMatchObject({ message: 'Trash retrieved.', meta: { total: 2, current_page: 1 } })
    expect(all.data.map(({ short_code: code }: any) => code)).toEqual([later.short_code, link.short_code])
    expect(all.data[1]).toEqual({ ...link, deleted_at: deletedAt })
    const second = await trash('?per_page=1&page=2')
    expect(second.data).toEqual([all.data[1]])
    expect(second.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2 })
    expect((await ask('GET', '/api/trash?page=0')).body).toEqual(
      invalid({ page: ['The page must be an integer of at least 1.'] }),
    )
    expect((await trash('', stranger)).meta.total).toBe(0)
  })

  test('comes back with its ID, clicks, options and counts, and redirects again', async () => {
    const { short_code: code } = await makeLink(rig, caller, { title: 'Quokka', redirect_status: 307 })
    await open(rig, code)
    const before = await eventually(
      () => read(code),
      ({ click_count }) => click_count === 1,
    )
    const figures = await overview()
    await remove(code)
    expect((await open(rig, code)).status).toBe(404)
    expect(statusAndBody(await restore(code, stranger))).toEqual({ status: 404, body: LINK_NOT_FOUND })
    expect(statusAndBody(await restore(code))).toEqual({
      status: 200,
      body: { success: true, message: 'Link restored.', data: before },
    })
    expect((await open(rig, code)).status).toBe(307)
    expect(await overview()).toMatchObject({
      total_links: figures.total_links,
      active_links: figures.active_links,
    })
    expect((await ask('GET', '/api/links?search=quokka')).body.data).toMatchObject([{ short_code: code }])
    expect((await trash()).data.map(({ short_code }: any) => short_code)).not.toContain(code)
    expect(statusAndBody(await restore(code))).toEqual({ status: 404, body: LINK_NOT_FOUND })
  })

  test('is not restored while its code opens a newer link, and waits for that', async () => {
    const custom_code = 'trash-twice'
    const older = await makeLink(rig, caller, { title: 'older' })
    await remove(older.short_code)
    await renameInTrash(rig.store.db, older.short_code, custom_code)
    await makeLink(rig, caller, { custom_code, title: 'newer' })
    const count = await countLinks(rig, caller)
    expect(statusAndBody(await restore(custom_code))).toEqual({
      status: 422,
      body: invalid({ short_code: ['The short code opens another link now.'] }),
    })
    expect([await countLinks(rig, caller), (await read(custom_code)).title]).toEqual([count, 'newer'])
    await remove(custom_code)
    expect((await ask('DELETE', `/api/trash/${custom_code}`)).status).toBe(200)
    expect((await restore(custom_code)).body.data).toMatchObject({ id: older.id, title: 'older' })
  })

  test('is restored once, of ten requests at the same moment', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    await remove(code)
    const count = await countLinks(rig, caller)
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => restore(code)))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(404)])
    expect(await countLinks(rig, caller)).toBe(count + 1)
  })

  test('brings its aliases back, except those that open something else by now', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const { db } = rig.store
    const alias = (name: string) => ({
      code: `${code}-${name}`,
      workspace_id: caller.workspaceId,
      link_id: id,
    })
    await db
      .insertInto('codes')
      .values([alias('b'), alias('a')])
      .execute()
    await remove(code)
    const other = await makeLink(rig, caller, { original_url: `${DESTINATION}?other` })
    await db.updateTable('codes').set({ link_id: other.id }).where('code', '=', `${code}-b`).execute()
    expect((await open(rig, `${code}-a`)).status).toBe(404)
    expect((await restore(code)).status).toBe(200)
    const location = async (name: string) => (await open(rig, `${code}${name}`)).headers.get('location')
    expect([await location(''), await location('-a'), await location('-b')]).toEqual([
      DESTINATION,
      DESTINATION,
      `${DESTINATION}?other`,
    ])
  })

  test('is deleted for good at once, on request', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const version = { link_id: id, version: 2, changed_at: 1, user_id: null, changes: '{}' }
    await rig.store.db.insertInto('link_versions').values(version).execute()
    await remove(code)
    for (const [who, expected] of [
      [stranger, { status: 404, body: LINK_NOT_FOUND }],
      [caller, { status: 200, body: { success: true, message: 'Link deleted for good.' } }],
      [caller, { status: 404, body: LINK_NOT_FOUND }],
    ] as const)
      expect(statusAndBody(await ask('DELETE', `/api/trash/${code}`, who))).toEqual(expected)
    expect((await restore(code)).status).toBe(404)
    expect(await historyOf(id)).toEqual([0, 0])
    const claim = { original_url: DESTINATION, custom_code: code }
    expect((await rig.call('POST', '/api/links', { key: stranger.key, body: claim })).status).toBe(422)
  })

  test('is kept for thirty days, and then gone with its history', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const { db } = rig.store
    const version = { link_id: id, version: 2, changed_at: 1, user_id: null, changes: '{}' }
    await db.insertInto('link_versions').values(version).execute()
    await db.insertInto('link_openings').values({ link_id: id, opened: 1 }).execute()
    await remove(code)
    await age(29)
    await forget()
    expect((await restore(code)).status).toBe(200)
    expect(await historyOf(id)).toEqual([1, 1])
    await remove(code)
    await age(30)
    // Not restorable any more, even before the job removes it.
    expect((await restore(code)).status).toBe(404)
    expect((await trash()).meta.total).toBe(0)
    await forget()
    expect(await historyOf(id)).toEqual([0, 0])
    const rows = db.selectFrom('deleted_links').select('id').where('workspace_id', '=', caller.workspaceId)
    expect(await rows.execute()).toEqual([])
  })

  test('leaves every count right', async () => {
    const broken = await checkCounters(rig.store.db)
    expect(
      broken
        .map(({ broken: rows }: any) => rows)
        .flat()
        .filter(Boolean),
    ).toEqual([])
  })
})

const historyOf = async (linkId: number) => {
  const { db } = rig.store
  const tables = ['link_versions', 'link_openings'] as const
  return Promise.all(
    tables.map(
      async (table) =>
        (await db.selectFrom(table).select('link_id').where('link_id', '=', linkId).execute()).length,
    ),
  )
}

const ask = (method: string, path: string, { key } = caller) => rig.call(method, path, { key })
const read = async (code: string) => (await ask('GET', `/api/links/${code}`)).body.data
const trash = async (query = '', who: TestCaller = caller) =>
  (await ask('GET', `/api/trash${query}`, who)).body
const remove = (code: string) => ask('DELETE', `/api/links/${code}`)
const restore = (code: string, who: TestCaller = caller) => ask('POST', `/api/links/${code}/restore`, who)
const overview = async () => (await ask('GET', '/api/analytics/overview')).body.data.overview
/** As if everything in the trash had been deleted so long ago. */
const age = async (days: number) => {
  await rig.store.db
    .updateTable('deleted_links')
    .set((eb) => ({ deleted_at: eb('deleted_at', '-', days * DAY_US) }))
    .where('workspace_id', '=', caller.workspaceId)
    .execute()
}
const forget = () =>
  forgetDeletedLinks(rig.store.relaxedDb, { nowUs: systemClock.nowUs(), trashDays: rig.config.trashDays })
