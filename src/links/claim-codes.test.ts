import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { encodeOtherKeys } from './trash/deleted-links.ts'
import { claimCodes, type UnopenedCode } from './claim-codes.ts'

const OWNER = 1
const OTHER = 2
const folders = temporaryFolders()
afterAll(folders.remove)

describe.each(enginesToTest('claims of codes'))('on %s', (engine) => {
  let store: Store

  beforeEach(async () => {
    store = await openTestStore(folders.make(), engine)
    for (const name of ['owner', 'other']) await addWorkspace(store, name)
  })
  afterEach(() => store.close())

  async function claim(workspaceId: number, codes: readonly UnopenedCode[], draw?: () => string) {
    const { opened, taken, inTrash } = await transact(store.db, (tx) =>
      claimCodes(tx, { workspaceId, codes }, draw),
    )
    expect(inTrash).toEqual([])
    expect(opened).toHaveLength(taken.length === 0 ? codes.length : 0)
    return taken
  }

  async function add(code: string, others: Partial<UnopenedCode> = {}): Promise<UnopenedCode> {
    const link = { domainId: 0, code, isCustom: true, ...others }
    const row = { workspace_id: OWNER, code, svc_id: '', original_url: '', title: '', is_active: 1 }
    const { id } = await store.db
      .insertInto('links')
      .values({ ...row, domain_id: link.domainId, created_at: 0, updated_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...link, linkId: id }
  }

  const codes = async () =>
    (await store.db.selectFrom('codes').selectAll().orderBy('code').orderBy('domain_id').execute()).map(
      ({ code, domain_id, workspace_id, link_id }) => [code, domain_id, workspace_id, link_id],
    )

  test('a code that opens a link, or is of another workspace, is taken, and all of them are named', async () => {
    const [mine, theirs] = [await add('mine'), await add('theirs')]
    expect([await claim(OWNER, [mine]), await claim(OTHER, [theirs])]).toEqual([[], []])
    const again = [await add('mine'), await add('theirs'), await add('free')]
    expect(await claim(OWNER, again)).toEqual([again[0]!, again[1]!])
    expect((await codes()).filter(([code]) => code !== 'free')).toEqual([
      ['mine', 0, OWNER, mine.linkId],
      ['theirs', 0, OTHER, theirs.linkId],
    ])
  })

  test('a code whose link is deleted opens nothing, and then the next link of its owner only', async () => {
    const deleted = await add('again')
    await claim(OWNER, [deleted])
    await store.db.deleteFrom('links').where('id', '=', deleted.linkId).execute()
    expect(await codes()).toEqual([['again', 0, OWNER, null]])
    const [theirs, mine] = [await add('again'), await add('again')]
    expect(await claim(OTHER, [theirs])).toEqual([theirs])
    expect(await claim(OWNER, [mine])).toEqual([])
    expect(await codes()).toEqual([['again', 0, OWNER, mine.linkId]])
  })

  test('the code and the aliases of a link in the trash open no other link until it is gone for good', async () => {
    const [deleted, alias] = [await add('trashed'), await add('trashed-alias')]
    await claim(OWNER, [deleted, alias])
    await store.db.deleteFrom('links').execute()
    const row = {
      id: deleted.linkId,
      workspace_id: OWNER,
      code: 'trashed',
      svc_id: '',
      original_url: '',
      title: '',
    }
    await store.db
      .insertInto('deleted_links')
      .values({
        ...row,
        is_active: 1,
        created_at: 0,
        deleted_at: 1,
        other_keys: encodeOtherKeys({ domainId: 0, code: 'trashed' }, [
          { domainId: 0, code: 'trashed-alias' },
        ]),
      })
      .execute()
    const again = [await add('trashed'), await add('trashed-alias')]
    const attempt = (workspaceId: number) =>
      transact(store.db, async (tx) => {
        const refused = await claimCodes(tx, { workspaceId, codes: again })
        if (refused.inTrash.length > 0) await tx.updateTable('codes').set({ link_id: null }).execute()
        return refused
      })
    expect(await attempt(OWNER)).toEqual({ opened: [], taken: [], inTrash: again })
    expect(await attempt(OTHER)).toEqual({ opened: [], taken: again, inTrash: [] })
    await store.db.deleteFrom('deleted_links').execute()
    expect(await claim(OWNER, again)).toEqual([])
  })

  test('an assigned code that was ever claimed is drawn again, also by its owner', async () => {
    const deleted = await add('first')
    await claim(OWNER, [deleted])
    await store.db.deleteFrom('links').where('id', '=', deleted.linkId).execute()
    const [one, two] = [await add('first', { isCustom: false }), await add('second', { isCustom: false })]
    const draws = ['second', 'third']
    const { opened } = await transact(store.db, (tx) =>
      claimCodes(tx, { workspaceId: OWNER, codes: [one, two] }, () => draws.shift()!),
    )
    expect([opened.map(({ code }) => code), draws]).toEqual([['third', 'second'], []])
    expect(await codes()).toEqual([
      ['first', 0, OWNER, null],
      ['second', 0, OWNER, two.linkId],
      ['third', 0, OWNER, one.linkId],
    ])
    const stored = await store.db.selectFrom('links').select(['id', 'code']).orderBy('id').execute()
    expect(stored).toEqual(opened.map(({ linkId, code }) => ({ id: linkId, code })))
  })

  test('drawing ends with an error when every code is taken', async () => {
    await claim(OWNER, [await add('taken')])
    const link = await add('taken', { isCustom: false })
    const refusal = claim(OWNER, [link], () => 'taken')
    await expect(refusal).rejects.toThrow('No free code in 8 draws.')
  })
})

async function addWorkspace({ db }: Store, name: string): Promise<void> {
  const row = {
    name,
    plan: 'free',
    subscription_status: 'active',
    subscription_expires_at: null,
    created_at: 0,
  }
  await db.insertInto('workspaces').values(row).execute()
}
