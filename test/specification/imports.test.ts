import { describe, expect, test } from 'bun:test'
import { DAY_US } from '../../src/runtime/clock.ts'
import { eventually } from '../rigs/eventually.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  makeLink,
  open,
  refusal,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('an import', () => {
  test('says what became of its links, from its beginning to its end', async () => {
    await makeLink(rig, caller, { custom_code: 'mine-1', title: 'Mine' })
    const id = await begin('bitly')
    const links = [link('said-1'), link('mine-1', { notes: 'New' }), link('no good'), link('said-2')]
    await importInto(id, links, { on_conflict: 'keep' })
    await importInto(id, [link('said-1')])
    await importInto(id, [link('dry')], { dry_run: true })
    const counts = { created: 2, equal: 1, skipped: 0, kept: 1, replaced: 0, refused: 1 }
    const at = expect.stringMatching(TIMESTAMP)
    const record = {
      id,
      source: 'bitly',
      title: 'Bitly',
      actor: 'Test key',
      created_at: at,
      undoable_until: at,
      undo: null,
    }
    expect(await read(id)).toEqual({ ...record, state: 'open', ended_at: null, counts })
    expect((await ask('POST', `/api/imports/${id}/end`)).data).toEqual({
      ...record,
      state: 'ended',
      ended_at: at,
      counts,
    })
    const { ended_at: endedAt } = await read(id)
    expect((await ask('POST', `/api/imports/${id}/end`)).data.ended_at).toBe(endedAt)
    expect(await importInto(id, [link('too-late')])).toEqual(closed('The import has ended.'))
    expect((await rig.call('GET', '/api/links/too-late', caller)).status).toBe(404)
  })

  test('is listed, the latest first, and its links are a list of their own', async () => {
    const other = await rig.makeCaller()
    const ids = [await begin('first', other), await begin('second', other), await begin('third', other)]
    await importInto(ids[1]!, [link('listed-1'), link('listed-2')], {}, other)
    await importInto(ids[2]!, [link('listed-3')], {}, other)
    const { data, meta } = await ask('GET', '/api/imports?per_page=2', undefined, other)
    expect(data.map(({ source }: any) => source)).toEqual(['third', 'second'])
    expect(meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3 })
    const codes = async (query: string) =>
      (await ask('GET', `/api/links?${query}`, undefined, other)).data.map(
        ({ short_code: code }: any) => code,
      )
    expect(await codes(`import_id=${ids[1]}`)).toEqual(['listed-2', 'listed-1'])
    expect(await codes(`import_id=${ids[0]}&import_id=${ids[2]}`)).toEqual(['listed-3'])
    expect((await ask('GET', `/api/links?import_id=${ids[1]}`)).data).toEqual([])
  })

  test('of another workspace does not exist', async () => {
    const id = await begin('mine')
    const notFound = refusal('import_not_found', 'Import not found.')
    for (const [method, path, body] of [
      ['GET', `/api/imports/${id}`, undefined],
      ['POST', `/api/imports/${id}/end`, undefined],
      ['POST', `/api/imports/${id}/undo`, {}],
    ] as const)
      expect(await ask(method, path, body, stranger)).toEqual(notFound)
    expect(await importInto(id, [link('stolen')], {}, stranger)).toMatchObject({
      errors: { import_id: ['The workspace has no import with this ID.'] },
    })
    expect((await ask('GET', '/api/imports', undefined, stranger)).data).toEqual([])
    expect(await read(id)).toMatchObject({ state: 'open', undo: null })
  })

  test('takes no links and is not undone after 30 days', async () => {
    const id = await begin('old')
    await importInto(id, [link('of-old')])
    const table = rig.store.db.updateTable('imports').where('id', '=', id)
    await table.set((eb) => ({ created_at: eb('created_at', '-', 30 * DAY_US) })).execute()
    expect(await importInto(id, [link('of-old-2')])).toEqual(closed(`${TOO_OLD}.`))
    const kept = `${TOO_OLD}, so it cannot be undone any more. Its links ${DELETE_THERE}`
    expect(await undo(id)).toEqual(refusal('import_kept', kept))
    expect((await open(rig, 'of-old')).status).toBe(302)
  })
})

describe('an undo', () => {
  test('moves what was imported to the trash, and nothing else', async () => {
    const other = await rig.makeCaller()
    await makeLink(rig, other, { custom_code: 'before-1', tags: ['Both'], title: 'Before' })
    const id = await begin('undone', other)
    const rest = await begin('stays', other)
    const fields = { tags: ['Both', 'Only'], aliases: ['undone-alias'], folder: 'Imported' }
    const links = [link('undone-1', fields), link('undone-2'), link('before-1', { title: 'After' })]
    await importInto(id, links, { on_conflict: 'replace' }, other)
    await importInto(rest, [link('stays-1')], {}, other)
    for (const code of ['undone-1', 'undone-alias', 'undone-2', 'stays-1'])
      expect((await open(rig, code)).status).toBe(code === 'before-1' ? 404 : 302)
    const counted = await linksOf(other)
    expect(counted).toEqual(['before-1', 'stays-1', 'undone-1', 'undone-2'])
    const plan = { links: 2, edited: 2, to_trash: 2, changed: 1 }
    await clicksAreCounted('undone-1', 'undone-2')
    expect((await undo(id, { edited: 'trash', dry_run: true }, other)).data).toMatchObject({
      ...plan,
      import: { state: 'open' },
    })
    expect((await undo(id, { edited: 'trash' }, other)).data).toMatchObject({
      ...plan,
      import: { state: 'undoing' },
    })
    expect(await undone(id, other)).toMatchObject({ edited: 'trash', trashed: 2, spared: 0 })
    expect(await linksOf(other)).toEqual(['before-1', 'stays-1'])
    for (const code of ['undone-1', 'undone-alias', 'undone-2']) await stopsRedirecting(code)
    expect((await ask('GET', '/api/links/before-1', undefined, other)).data.title).toBe('After')
    const tags = (await ask('GET', '/api/tags', undefined, other)).data
    expect(tags.map(({ name, link_count: count }: any) => [name, count])).toEqual([
      ['Both', 1],
      ['Only', 0],
    ])
    expect(await countLinks(rig, other)).toBe(2)
    const kept = `The import was undone already, which can be done once. Links that it has kept ${DELETE_THERE}`
    expect(await undo(id, { edited: 'trash' }, other)).toEqual(refusal('import_kept', kept))
    expect(await importInto(id, [link('undone-3')], {}, other)).toEqual(closed('The import was undone.'))
  })

  test('leaves links that were edited or clicked since, unless they shall go too', async () => {
    const other = await rig.makeCaller()
    const id = await begin('in use', other)
    const codes = ['unused', 'edited', 'labeled', 'toggled', 'clicked', 'restored']
    await importInto(
      id,
      codes.map((code) => link(`use-${code}`)),
      {},
      other,
    )
    await ask('PUT', '/api/links/use-edited', { title: 'Edited' }, other)
    await ask('PUT', '/api/links/use-labeled', { tags: ['Mine'] }, other)
    await ask('PUT', '/api/links/use-toggled', { is_active: false }, other)
    await ask('DELETE', '/api/links/use-restored', undefined, other)
    await ask('POST', '/api/links/use-restored/restore', undefined, other)
    await open(rig, 'use-clicked')
    await clicksAreCounted('use-clicked')
    expect((await undo(id, { dry_run: true }, other)).data).toMatchObject({
      links: 6,
      edited: 5,
      to_trash: 1,
    })
    await undo(id, {}, other)
    expect(await undone(id, other)).toMatchObject({ edited: 'keep', trashed: 1, spared: 5 })
    expect(await linksOf(other)).toEqual(
      codes
        .slice(1)
        .map((code) => `use-${code}`)
        .sort(),
    )
  })

  test('is made undone by the same import, with the links as the file has them', async () => {
    const other = await rig.makeCaller()
    const first = await begin('again', other)
    const links = [
      link('again-1', { title: 'File', tags: ['T'] }),
      link('again-2', { aliases: ['again-two'] }),
    ]
    await importInto(first, links, {}, other)
    const before = (await ask('GET', '/api/links/again-1', undefined, other)).data
    await ask('PUT', '/api/links/again-1', { title: 'Edited' }, other)
    await undo(first, { edited: 'trash' }, other)
    await undone(first, other)
    const second = await begin('again', other)
    const trial = await importInto(second, links, { dry_run: true }, other)
    expect(trial.meta).toMatchObject({ created: 2, refused: 0 })
    expect(await linksOf(other)).toEqual([])
    const { data, meta } = await importInto(second, [...links, link('again-3')], {}, other)
    expect(data.map(({ result, short_code: code }: any) => [result, code])).toEqual([
      ['created', 'again-1'],
      ['created', 'again-2'],
      ['created', 'again-3'],
    ])
    expect(meta).toMatchObject({ created: 3 })
    expect((await read(second, other)).counts).toMatchObject({ created: 3, refused: 0 })
    const after = (await ask('GET', '/api/links/again-1', undefined, other)).data
    expect(after).toEqual(before)
    expect((await open(rig, 'again-two')).status).toBe(302)
    expect((await importInto(second, links, {}, other)).meta).toMatchObject({ equal: 2 })
    await clicksAreCounted('again-2')
    await undo(second, {}, other)
    expect(await undone(second, other)).toMatchObject({ trashed: 2, spared: 1 })
    expect(await linksOf(other)).toEqual(['again-2'])
  })

  test('leaves codes in the trash refused that no import has put there', async () => {
    const other = await rig.makeCaller()
    const id = await begin('own trash', other)
    await importInto(id, [link('own-trash')], {}, other)
    await ask('DELETE', '/api/links/own-trash', undefined, other)
    const refused = [{ result: 'refused', errors: { custom_code: [expect.any(String)] } }]
    expect((await importInto(id, [link('own-trash')], {}, other)).data).toMatchObject(refused)
    await undo(id, {}, other)
    expect(await undone(id, other)).toMatchObject({ trashed: 0, spared: 0 })
    const second = await begin('own trash', other)
    expect((await importInto(second, [link('own-trash')], {}, other)).data).toMatchObject(refused)
  })

  test('of more links than a step has is in the audit log, by who requested it', async () => {
    const other = await rig.makeCaller()
    const id = await begin('many', other)
    const codes = Array.from({ length: 250 }, (_, n) => `many-${n}`)
    for (const from of [0, 100, 200])
      await importInto(
        id,
        codes.slice(from, from + 100).map((code) => link(code)),
        {},
        other,
      )
    await undo(id, {}, other)
    expect(await undone(id, other)).toMatchObject({ trashed: 250, spared: 0 })
    expect(await linksOf(other)).toEqual([])
    const entries = (await ask('GET', '/api/audit-log?per_page=100', undefined, other)).data
    const seen = entries.map(({ action, actor, target }: any) => [action, actor, target])
    const isOfUndo = ([action]: string[]) => /^import|deleted$/.test(action!)
    expect(seen.filter(isOfUndo).toReversed()).toEqual([
      ['import.started', 'Test key', 'many'],
      ['import.undone', 'Test key', 'many'],
      ...['100', '100', '50'].map((count) => ['link.deleted', 'Test key', `${count} links`]),
    ])
  })
})

const closed = (why: string) => refusal('import_closed', `${why} Begin another one.`)
const TOO_OLD = 'The import began more than 30 days ago'
const DELETE_THERE = 'can be deleted in the list of links, with the filter for this import.'

const link = (custom_code: string, fields: object = {}) => ({
  original_url: DESTINATION,
  custom_code,
  ...fields,
})

async function ask(method: string, path: string, body?: unknown, { key }: Pick<TestCaller, 'key'> = caller) {
  return (await rig.call(method, path, { key, body })).body
}

const begin = async (source: string, by?: TestCaller): Promise<number> =>
  (await ask('POST', '/api/imports', { source }, by)).data.id

const importInto = (import_id: number, links: unknown[], options: object = {}, by?: TestCaller) =>
  ask('POST', '/api/links/import', { import_id, links, ...options }, by)

const read = async (id: number, by?: TestCaller) =>
  (await ask('GET', `/api/imports/${id}`, undefined, by)).data

const undo = (id: number, options: object = {}, by?: TestCaller) =>
  ask('POST', `/api/imports/${id}/undo`, options, by)

/** Once all of its links are decided about. */
async function undone(id: number, by: TestCaller) {
  const { undo } = await eventually(
    () => read(id, by),
    ({ state }) => state === 'undone',
  )
  return undo
}

const linksOf = async (by: TestCaller): Promise<string[]> =>
  (await ask('GET', '/api/links?per_page=100', undefined, by)).data
    .map(({ short_code: code }: any) => code)
    .sort()

async function clicksAreCounted(...codes: string[]): Promise<void> {
  for (const code of codes) {
    const count = async () => {
      const link = rig.store.db
        .selectFrom('codes')
        .innerJoin('link_totals', 'link_totals.link_id', 'codes.link_id')
      return (await link.select('clicks').where('code', '=', code).executeTakeFirst())?.clicks ?? 0
    }
    expect(await eventually(count, (clicks) => clicks > 0)).toBeGreaterThan(0)
  }
}

/** The redirect thread hears of it a moment later. */
async function stopsRedirecting(code: string): Promise<void> {
  const status = async () => (await open(rig, code)).status
  expect(await eventually(status, (each) => each === 404)).toBe(404)
}
