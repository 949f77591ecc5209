import { describe, expect, test } from 'bun:test'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { transact } from '../../store/transact.ts'
import { bindGroupWorkspace, findGroupWorkspace } from './group-workspaces.ts'

describe('the workspaces of group roles', () => {
  const store = useTestStore()

  test('an ID means that workspace, until it is deleted', async () => {
    const id = await addWorkspace('Marketing')
    expect(await bind(id)).toEqual({ workspaceId: id, isBound: true })
    await close(id)
    expect(await bind(id)).toEqual({ error: `There is no workspace with the ID ${id}.` })
  })

  test('a name that several have means none of them', async () => {
    const ids = [await addWorkspace('Marketing'), await addWorkspace('Marketing')]
    const error = `Several workspaces have the name "Marketing" (IDs ${ids.join(', ')}).`
    expect(await bind('Marketing')).toEqual({ error })
    await rename(ids[0]!, 'Other')
    expect(await bind('Marketing')).toEqual({ workspaceId: ids[1]!, isBound: true })
  })

  test('looking a name up does not bind it', async () => {
    const id = await addWorkspace('Marketing')
    expect(await findGroupWorkspace(store.readDb, 'Marketing')).toEqual({ workspaceId: id, isBound: false })
    await addWorkspace('Marketing')
    expect(await bind('Marketing')).toMatchObject({ error: expect.stringContaining('Several') })
  })

  test('once it is bound, no change of names makes it mean another workspace', async () => {
    const stranger = await addWorkspace('Other')
    const id = await addWorkspace('Marketing')
    const bound = { workspaceId: id, isBound: true }
    expect(await bind('Marketing')).toEqual(bound)
    await rename(stranger, 'Marketing')
    expect(await bind('Marketing')).toEqual(bound)
    await rename(id, 'Marketing and sales')
    expect(await bind('Marketing')).toEqual(bound)
    await close(id)
    expect(await bind('Marketing')).toEqual({ error: `The workspace "Marketing" (ID ${id}) was deleted.` })
    await store.db.deleteFrom('workspaces').where('id', '=', id).execute()
    expect(await bind('Marketing')).toMatchObject({ error: expect.stringContaining('was deleted') })
  })

  test('a name that nobody has is bound to the first workspace that gets it', async () => {
    expect(await bind('Marketing')).toEqual({ error: 'There is no workspace with the name "Marketing".' })
    const id = await addWorkspace('Marketing')
    await addWorkspace('marketing')
    expect(await bind('Marketing')).toEqual({ workspaceId: id, isBound: true })
  })

  async function addWorkspace(name: string): Promise<number> {
    const row = { name, plan: 'free', subscription_status: 'active', created_at: 1 }
    const { id } = await store.db
      .insertInto('workspaces')
      .values({ ...row, subscription_expires_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  const rename = (id: number, name: string) =>
    store.db.updateTable('workspaces').set({ name }).where('id', '=', id).execute()

  const close = (id: number) =>
    store.db.updateTable('workspaces').set({ name: '', closed_at: 9 }).where('id', '=', id).execute()

  const bind = (workspace: number | string) => transact(store.db, (tx) => bindGroupWorkspace(tx, workspace))
})
