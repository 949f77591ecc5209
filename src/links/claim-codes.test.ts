import { beforeEach, describe, expect, test } from 'bun:test'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { claimCodes, type UnopenedCode } from './claim-codes.ts'

describe('claims of codes', () => {
  const store = useTestStore()

  beforeEach(async () => {
    for (const name of ['owner', 'other']) await addWorkspace(store, name)
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
})

const OWNER = 1

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
