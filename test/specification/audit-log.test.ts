import { describe, expect, test } from 'bun:test'
import { AUDIT_ACTIONS } from '../../src/audit/audit-actions.ts'
import type { AuditEntryView } from '../../src/http/endpoints/audit-endpoints.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import { usePrepared } from '../rigs/use-rig.ts'
import {
  DESTINATION,
  invalid,
  makeLink,
  refusal,
  statusAndBody,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)
const reader = usePrepared(() => rig.makeCaller({ scopes: ['links:read', 'links:write', 'workspace:write'] }))

const PATH = '/api/audit-log'

describe('the audit log', () => {
  test('says who has created and changed a link, with every field before and after', async () => {
    const { short_code: code } = await makeLink(rig, caller, {
      title: 'Launch',
      tags: ['Winter'],
      password: 'sesame',
    })
    const created = await latest()
    expect(created).toEqual({
      id: expect.any(Number),
      happened_at: expect.stringMatching(TIMESTAMP),
      user_id: caller.userId,
      api_key_id: caller.keyId,
      actor: 'Test key',
      client: 'API',
      action: 'link.created',
      target: code,
      target_id: expect.any(Number),
      changes: {
        original_url: { from: null, to: DESTINATION },
        title: { from: null, to: 'Launch' },
        tags: { from: null, to: ['Winter'] },
        password: { from: null, to: 'set' },
      },
    })
    const edit = {
      title: '',
      tags: [],
      folder: 'Old',
      notes: 'For us',
      archived: true,
      password: 'other',
      aliases: [`${code}-2`],
    }
    await send('PUT', `/api/links/${code}`, edit)
    expect(await latest()).toMatchObject({ action: 'link.updated', target_id: created.target_id })
    expect((await latest()).changes).toEqual({
      title: { from: 'Launch', to: '' },
      aliases: { from: [], to: [`${code}-2`] },
      tags: { from: ['Winter'], to: [] },
      folder: { from: null, to: 'Old' },
      notes: { from: null, to: 'For us' },
      archived: { from: false, to: true },
      password: { from: 'set', to: 'changed' },
    })
    expect(JSON.stringify(await entries())).not.toMatch(/sesame|argon2/)
  })

  test('has nothing of an edit that changes nothing, is refused, or is a dry run', async () => {
    const { short_code: code } = await makeLink(rig, caller, { title: 'Same' })
    const before = await latest()
    await send('PUT', `/api/links/${code}`, { title: 'Same', is_active: true })
    await send('PUT', `/api/links/${code}`, { title: 7 })
    await send('POST', '/api/links/bulk-update', {
      short_codes: [code],
      set: { archived: true },
      dry_run: true,
    })
    await send('POST', '/api/bulk-shorten', { links: [{ original_url: DESTINATION }], dry_run: true })
    expect(await latest()).toEqual(before)
  })

  test('follows a link to the trash, back, and away for good', async () => {
    const { short_code: code } = await makeLink(rig, caller, {})
    await send('POST', `/api/links/${code}/toggle`)
    await send('DELETE', `/api/links/${code}`)
    await send('POST', `/api/links/${code}/restore`)
    await send('POST', `/api/links/${code}/versions/1/restore`)
    await send('DELETE', `/api/links/${code}`)
    await send('DELETE', `/api/trash/${code}`)
    const found = await entries(`target=${code}`)
    expect(found.map(({ action, changes }) => [action, changes])).toEqual([
      ['link.deleted_for_good', null],
      ['link.deleted', null],
      ['link.version_restored', { is_active: { from: false, to: true } }],
      ['link.restored', null],
      ['link.deleted', null],
      ['link.updated', { is_active: { from: true, to: false } }],
      ['link.created', { original_url: { from: null, to: DESTINATION } }],
    ])
    expect(new Set(found.map(({ target_id: id }) => id)).size).toBe(1)
  })

  test('has one entry for a request about many links', async () => {
    const links = ['a', 'b'].map((name) => ({ original_url: `${DESTINATION}/${name}`, title: 'Same' }))
    const { body } = await send('POST', '/api/bulk-shorten', { links })
    const codes = body.data.map(({ short_code: code }: { short_code: string }) => code)
    const created = await latest()
    expect(created).toMatchObject({ action: 'link.created', target: '2 links', target_id: null })
    const ids = (created.changes!.links!.to as { id: number }[]).map(({ id }) => id)
    expect(created.changes).toEqual({
      title: { from: null, to: 'Same' },
      links: {
        from: null,
        to: [0, 1].map((n) => ({
          id: ids[n],
          short_code: codes[n],
          changes: { original_url: { from: null, to: links[n]!.original_url } },
        })),
      },
    })
    await send('POST', '/api/links/bulk-update', { short_codes: codes, set: { folder: 'News' } })
    const both = [0, 1].map((n) => ({ id: ids[n], short_code: codes[n] }))
    const changes = { folder: { from: null, to: 'News' }, links: { from: null, to: both } }
    expect(await latest()).toMatchObject({ action: 'link.updated', changes })
    for (const [path, action] of [
      ['bulk-delete', 'link.deleted'],
      ['bulk-restore', 'link.restored'],
    ] as const) {
      await send('POST', `/api/links/${path}`, { short_codes: codes })
      expect(await latest()).toMatchObject({ action, target: '2 links', changes: { links: { to: both } } })
    }
  })

  test('names every link and every new value, however long they are', async () => {
    const long = (name: string) => `https://${name}.example.com/${'p'.repeat(7_000)}`
    const links = Array.from({ length: 100 }, (_, n) => ({ original_url: long(`of-${n}`) }))
    const { body } = await send('POST', '/api/bulk-shorten', { links })
    const codes: string[] = body.data.map(({ short_code: code }: { short_code: string }) => code)
    const found = async (search: string) =>
      (await entries(`search=${search}&per_page=100`)).map(({ action }) => action)
    for (const n of [0, 42, 99]) {
      expect(await found(codes[n]!)).toEqual(['link.created'])
      expect(await found(`of-${n}.example.com`)).toEqual(['link.created'])
    }
    const set = { fallback_url: long('phish') }
    expect((await send('POST', '/api/links/bulk-update', { short_codes: codes, set })).status).toBe(200)
    const [updated] = await entries('search=phish.example')
    expect(updated).toMatchObject({
      action: 'link.updated',
      target: '100 links',
      changes: {
        fallback_url: { from: null, to: set.fallback_url },
        links: { to: codes.map((code) => expect.objectContaining({ short_code: code })) },
      },
    })
    await send('POST', '/api/links/bulk-update', {
      short_codes: codes,
      set: { fallback_url: long('other') },
    })
    for (const n of [0, 42, 99])
      expect(await found(codes[n]!)).toEqual(['link.updated', 'link.updated', 'link.created'])
    expect(new Set(await found('other.example'))).toEqual(new Set(['link.updated']))
  })

  test('has what becomes of tags and folders', async () => {
    const make = async (name: string) => (await send('POST', '/api/tags', { name })).body.data.id
    const [one, other] = [await make('One'), await make('Other')]
    await send('PUT', `/api/tags/${one}`, { name: 'First', color: 3 })
    await send('POST', `/api/tags/${one}/merge`, { into: other })
    await send('DELETE', `/api/tags/${other}`)
    const found = (await entries('per_page=5')).map(({ action, target, changes }) => [
      action,
      target,
      changes,
    ])
    expect(found).toEqual([
      ['tag.deleted', 'Other', null],
      ['tag.merged', 'First', { name: { from: 'First', to: 'Other' } }],
      [
        'tag.updated',
        'One',
        { name: { from: 'One', to: 'First' }, color: { from: expect.any(Number), to: 3 } },
      ],
      ['tag.created', 'Other', null],
      ['tag.created', 'One', null],
    ])
  })

  test('is for keys with its scope, and of one workspace', async () => {
    const theirs = await entries('', stranger)
    expect(theirs.map(({ action }: { action: string }) => action)).toEqual(['key.created'])
    const own = await rig.call('GET', PATH, reader)
    const sentence = 'Insufficient permissions: this key lacks the scope audit:read.'
    expect(statusAndBody(own)).toEqual({ status: 403, body: refusal('scope_missing', sentence) })
  })

  test('refuses filters that say nothing it knows, all at once', async () => {
    const answer = await rig.call('GET', `${PATH}?user=x&action=link.eaten&client=fax&from=yesterday`, caller)
    expect(statusAndBody(answer)).toEqual({
      status: 422,
      body: invalid({
        user: ['The user must be an integer of at least 1.'],
        action: [`The action must be one of ${AUDIT_ACTIONS.join(', ')}.`],
        from: ['The start must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.'],
        client: ['The client must be one of dashboard, api, command_line.'],
      }),
    })
  })

  test('refuses a target that no change can have', async () => {
    const answer = await rig.call('GET', `${PATH}?target=a%00b`, caller)
    const errors = { target: ['The target must be well-formed text.'] }
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
  })

  test('is narrowed by its filters, and says how much it has', async () => {
    const since = new Date((await latest()).happened_at).toISOString()
    await makeLink(rig, caller, { custom_code: 'only-this-one' })
    const query = `from=${since}&action=link.created&client=api&key=${caller.keyId}&search=ONLY-this`
    const { body } = await rig.call('GET', `${PATH}?${query}&per_page=7`, caller)
    expect(body.data.map(({ target }: AuditEntryView) => target)).toEqual(['only-this-one'])
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 7, total: 1, is_complete: true })
    expect(await entries(`${query}&user=${caller.userId}`)).toEqual([])
  })

  test('comes as a file of lines, or of a table in which nothing is run as a formula', async () => {
    await send('POST', '/api/tags', { name: '=1+1' })
    const [entry] = await entries('per_page=1')
    const file = (format: string) =>
      rig.call('GET', `/api/export/audit-log?format=${format}&search=1%2B1`, caller)
    const lines = await file('ndjson')
    expect(lines.headers.get('content-disposition')).toMatch(/filename="tern-audit-log-[\d-]+\.ndjson"$/)
    expect(lines.text).toBe(JSON.stringify(entry) + '\n')
    const table = await file('csv')
    const { id, happened_at: at, user_id: userId, api_key_id: keyId, target_id: targetId } = entry!
    expect(table.text).toBe(
      'id,happened_at,user_id,api_key_id,actor,client,action,target,target_id,changes\r\n' +
        `${id},${at},${userId},${keyId},Test key,API,tag.created,'=1+1,${targetId},\r\n`,
    )
  })
})

async function entries(query = '', { key }: TestCaller = caller): Promise<AuditEntryView[]> {
  const { status, body } = await rig.call('GET', `${PATH}?${query}`, { key })
  expect(status).toBe(200)
  return body.data
}

const latest = async (who?: TestCaller) => (await entries('per_page=1', who))[0]!
const send = (method: string, path: string, body?: unknown) =>
  rig.call(method, path, { key: caller.key, body })
