import { expect, test } from 'bun:test'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { transact } from '../store/transact.ts'
import { type Change, recordChange } from './record-change.ts'

const store = useTestStore()

const CHANGE: Change = { nowUs: 7, action: 'link.updated', target: 'launch', targetId: 3 }

test('an entry says who has changed what, when and from where', async () => {
  const changes = { title: { from: '', to: 'Launch' } }
  expect(await recorded({ changes }, { ...ownerOf(5), keyId: 9, actor: 'Shop', client: 'API' })).toEqual({
    id: 1,
    workspace_id: 5,
    happened_at: 7,
    user_id: 5,
    api_key_id: 9,
    actor: 'Shop',
    client: 'API',
    action: 'link.updated',
    target: 'launch',
    target_id: 3,
    changes,
  })
})

test('without changes there is nothing to compare, and names end after 255 characters, codes with their hosts after 320', async () => {
  const row = await recorded(
    { changes: {}, target: '🐦'.repeat(400) },
    { ...ownerOf(5), actor: 'x'.repeat(400) },
  )
  expect(row).toMatchObject({ changes: null, target: '🐦'.repeat(320), actor: 'x'.repeat(255) })
})

test('a change that is rolled back leaves no entry', async () => {
  const failing = transact(store.db, async (tx) => {
    await recordChange(tx, ownerOf(5), CHANGE)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await store.db.selectFrom('audit_log').selectAll().execute()).toEqual([])
})

async function recorded(change: Partial<Change>, caller = ownerOf(5)) {
  await transact(store.db, (tx) => recordChange(tx, caller, { ...CHANGE, ...change }))
  const { changes, ...row } = await store.db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
  return { ...row, changes: changes === null ? null : JSON.parse(changes) }
}
