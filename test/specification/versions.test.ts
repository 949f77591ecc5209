import { describe, expect, test } from 'bun:test'
import { UNHEARD } from '../rigs/service/creation.ts'
import { toggleLink } from '../../src/links/toggle-link.ts'
import { defaultKey } from '../../src/links/link-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  invalid,
  makeLink,
  open,
  refusal,
  statusAndBody,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('the versions of a link', () => {
  test('begin with its creation, which stores nothing', async () => {
    const { id, short_code: code, created_at } = await makeLink(rig, caller, { redirect_status: 307 })
    expect(await versions(code)).toEqual({
      success: true,
      message: 'Versions retrieved.',
      data: [
        {
          version: 1,
          changed_at: created_at,
          changed_by: { id: caller.userId, name: expect.any(String) },
          api_key: { id: caller.keyId, name: 'Test key' },
          changes: {},
        },
      ],
      meta: { current_page: 1, last_page: 1, per_page: 15, total: 1 },
    })
    const rows = rig.store.db.selectFrom('link_versions').selectAll().where('link_id', '=', id)
    expect(await rows.execute()).toEqual([])
  })

  test('are each change of what visitors meet, newest first, by whom and when', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    await put(code, {
      original_url: `${DESTINATION}?2`,
      title: 'Two',
      expires_at: '2199-01-01T01:00:00+01:00',
    })
    await ask('POST', `${code}/toggle`)
    await put(code, { is_active: true, forward_query: true, notes: 'Not a version', redirect_status: 308 })
    const { data } = await versions(code)
    expect(data.map(({ version, changes }: any) => [version, changes])).toEqual([
      [
        4,
        {
          is_active: { from: false, to: true },
          forward_query: { from: false, to: true },
          redirect_status: { from: 302, to: 308 },
        },
      ],
      [3, { is_active: { from: true, to: false } }],
      [
        2,
        {
          original_url: { from: DESTINATION, to: `${DESTINATION}?2` },
          title: { from: '', to: 'Two' },
          expires_at: { from: null, to: '2199-01-01T00:00:00.000000Z' },
        },
      ],
      [1, {}],
    ])
    const by = { id: caller.userId, name: expect.stringMatching(/^Caller \d+$/) }
    const key = { id: caller.keyId, name: 'Test key' }
    for (const version of data.slice(0, 3))
      expect(version).toMatchObject({
        changed_by: by,
        api_key: key,
        changed_at: expect.stringMatching(TIMESTAMP),
      })
    expect(data[3]).toMatchObject({ changed_by: by, api_key: key })
    const page = await versions(code, '?per_page=3&page=2')
    expect([page.data, page.meta]).toEqual([
      [data[3]],
      { current_page: 2, last_page: 2, per_page: 3, total: 4 },
    ])
    expect((await versions(code, '?page=9')).data).toEqual([])
  })

  test('say how the query was forwarded, and a restored version forwards it so again', async () => {
    const { short_code: code } = await makeLink(rig, caller, { forward_query: 'replace' })
    for (const forward_query of [true, false]) await put(code, { forward_query })
    const { data } = await versions(code)
    expect(data.map(({ changes }: any) => changes)).toEqual([
      { forward_query: { from: true, to: false } },
      { forward_query: { from: 'replace', to: true } },
      {},
    ])
    const { body } = await ask('POST', `${code}/versions/1/restore`)
    expect(body.data.forward_query).toBe('replace')
  })

  test('say of a password only whether there is one', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    for (const password of ['first', 'second', null, null]) await put(code, { password })
    const { data } = await versions(code)
    expect(data.map(({ changes }: any) => changes)).toEqual([
      { has_password: { from: true, to: false } },
      { has_password: { from: true, to: true } },
      { has_password: { from: false, to: true } },
      {},
    ])
    expect((await restore(code, 2)).body.data).toMatchObject({ has_password: false })
  })

  test('are none for what is for the owner only, and for edits that change nothing', async () => {
    const { short_code: code } = await makeLink(rig, caller, { title: 'Same', redirect_status: 307 })
    await put(code, { notes: 'For us', archived: true, external_id: '7', qr_style: {} })
    await put(code, { title: 'Same', original_url: DESTINATION, is_active: true, redirect_status: 307 })
    await put(code, {})
    expect((await versions(code)).meta.total).toBe(1)
  })

  test('have no gaps when many change a link at the same moment', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? ask('POST', `${code}/toggle`) : put(code, { title: `Title ${n}` }),
      ),
    )
    const { data } = await versions(code, '?per_page=100')
    expect(data.map(({ version }: any) => version)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n))
    for (const name of ['title', 'is_active']) {
      const chain = data
        .filter(({ changes }: any) => name in changes)
        .map(({ changes }: any) => changes[name])
      for (const [n, { from }] of chain.entries())
        if (n + 1 < chain.length) expect(from).toBe(chain[n + 1].to)
    }
  })

  test('are the latest thousand', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const deps = { db: rig.store.db, clock: systemClock, ...UNHEARD }
    for (let n = 0; n < 1_002; n++) await toggleLink(deps, caller, defaultKey(code))
    const { data, meta } = await versions(code, '?per_page=100&page=10')
    expect([meta.total, data.length, data.at(-1).version]).toEqual([1_000, 100, 4])
    const rows = rig.store.db.selectFrom('link_versions').select('version').where('link_id', '=', id)
    expect((await rows.execute()).length).toBe(1_000)
    expect(statusAndBody(await restore(code, 3))).toEqual({
      status: 404,
      body: refusal('version_not_found', 'Version not found.'),
    })
    expect((await restore(code, 4)).status).toBe(200)
  })

  test('name the key of a creation, also of one of many links, and when the audit log has forgotten it', async () => {
    const links = [{ original_url: DESTINATION }, { original_url: DESTINATION }]
    const { body } = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
    const codes = body.data.map(({ short_code }: { short_code: string }) => short_code)
    const keys = async () =>
      Promise.all(codes.map(async (code: string) => (await versions(code)).data[0].api_key?.id ?? null))
    expect(await keys()).toEqual([caller.keyId, caller.keyId])
    await rig.store.db.deleteFrom('audit_log').where('action', '=', 'link.created').execute()
    expect(await keys()).toEqual([caller.keyId, caller.keyId])
  })

  test('name no key for a change without one, and nobody where the user is gone', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    await put(code, { title: 'Two' })
    const deps = { db: rig.store.db, clock: systemClock, ...UNHEARD }
    const { keyId: _, ...signedIn } = caller
    await toggleLink(deps, signedIn, defaultKey(code))
    await rig.store.db.updateTable('links').set({ created_by: 999_999 }).where('id', '=', id).execute()
    const { data } = await versions(code)
    expect(data.map(({ api_key: key }: any) => key?.name ?? null)).toEqual([null, 'Test key', 'Test key'])
    expect(data.map(({ changed_by: by }: any) => by?.id ?? null)).toEqual([
      caller.userId,
      caller.userId,
      null,
    ])
  })

  test('go to the trash with the link, and come back with it', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    await put(code, { title: 'Two' })
    await ask('DELETE', code)
    await ask('POST', `${code}/restore`)
    const { data, meta } = await versions(code)
    expect([meta.total, data[1].changed_by.id]).toEqual([2, caller.userId])
  })
})

describe('restoring a version', () => {
  test('gives the link every field that it had then, as a new version', async () => {
    const first = await makeLink(rig, caller, {
      title: 'One',
      starts_at: '2026-01-01T00:00:00.5Z',
      social_title: 'Card',
      notes: 'Stay',
    })
    const { short_code: code } = first
    await put(code, { title: 'Two', original_url: `${DESTINATION}?2`, starts_at: null, is_active: false })
    await put(code, { title: 'Three', social_title: null, redirect_status: 301, notes: 'Stayed' })
    expect((await open(rig, code)).status).toBe(404)
    const { svc_id: _, ...link } = first
    const restored = { ...link, notes: 'Stayed' }
    expect(statusAndBody(await restore(code, 1))).toEqual({
      status: 200,
      body: { success: true, message: 'Version restored.', data: restored },
    })
    const { status, headers } = await open(rig, code)
    expect([status, headers.get('location')]).toEqual([302, DESTINATION])
    const { data } = await versions(code)
    expect(data[0]).toMatchObject({
      version: 4,
      changes: { title: { from: 'Three', to: 'One' }, is_active: { from: false, to: true } },
    })
    await restore(code, 2)
    expect(await read(code)).toMatchObject({ title: 'Two', starts_at: null, social_title: 'Card' })
    await restore(code, 3)
    expect(await read(code)).toMatchObject({ title: 'Three', social_title: null, redirect_status: 301 })
    const found = await rig.call('GET', '/api/links?search=three', { key: caller.key })
    expect(found.body.data).toMatchObject([{ short_code: code }])
  })

  test('brings aliases back, and is refused while one opens another link', async () => {
    const { short_code: code } = await makeLink(rig, caller, { aliases: ['version-b', 'version-a'] })
    await put(code, { aliases: ['version-a', 'version-c'] })
    await put(code, { aliases: ['version-c', 'version-a'] })
    const { data } = await versions(code)
    expect(data.map(({ changes }: any) => changes)).toEqual([
      { aliases: { from: ['version-a', 'version-b'], to: ['version-a', 'version-c'] } },
      {},
    ])
    expect((await restore(code, 1)).body.data.aliases).toEqual(['version-a', 'version-b'])
    expect([(await open(rig, 'version-b')).status, (await open(rig, 'version-c')).status]).toEqual([302, 404])
    await makeLink(rig, caller, { custom_code: 'version-c' })
    const { status, body } = await restore(code, 2)
    expect([status, body.errors]).toEqual([422, { 'aliases.1': ['The alias has already been taken.'] }])
    expect((await read(code)).aliases).toEqual(['version-a', 'version-b'])
  })

  test('of the latest version changes nothing', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    await put(code, { title: 'Two' })
    expect((await restore(code, 2)).body.data).toMatchObject({ title: 'Two' })
    expect((await versions(code)).meta.total).toBe(2)
  })

  test('is refused for what is not allowed any more', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    await put(code, { title: 'Two' })
    const changes = { original_url: { from: `${rig.config.baseUrl}/loop`, to: DESTINATION } }
    await rig.store.db
      .updateTable('link_versions')
      .set({ changes: JSON.stringify(changes) })
      .where('link_id', '=', id)
      .execute()
    expect(statusAndBody(await restore(code, 1))).toEqual({
      status: 422,
      body: invalid({ original_url: ['The original url may not point to this service.'] }),
    })
    expect((await versions(code)).meta.total).toBe(2)
  })

  test('is 404 for a version that there is not', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    for (const version of [2, 0, -1, '1.5', 'x', '9'.repeat(400)]) {
      expect(statusAndBody(await restore(code, version))).toEqual({
        status: 404,
        body: refusal('version_not_found', 'Version not found.'),
      })
    }
  })
})

const ask = (method: string, path: string, body?: unknown, { key } = caller) =>
  rig.call(method, `/api/links/${path}`, { key, body })
const put = async (code: string, body: unknown) => expect((await ask('PUT', code, body)).status).toBe(200)
const read = async (code: string) => (await ask('GET', code)).body.data
const versions = async (code: string, query = '') => (await ask('GET', `${code}/versions${query}`)).body
const restore = (code: string, version: number | string) => ask('POST', `${code}/versions/${version}/restore`)
