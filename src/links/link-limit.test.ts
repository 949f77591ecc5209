import { describe, expect, test } from 'bun:test'
import { createUnasked, tryToCreate, UNHEARD } from '../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useOwnedStore } from '../../test/rigs/store/owned-store.ts'
import { Refusal } from '../errors/refusal.ts'
import { systemClock } from '../runtime/clock.ts'
import { defaultKey } from './link-key.ts'
import { linkLimitOf } from './link-limit.ts'
import { linkCounts } from './lists/count-links.ts'
import { deleteLink } from './trash/delete-link.ts'
import { restoreLink } from './trash/restore-link.ts'

describe('a workspace that can have 3 links', () => {
  const store = useOwnedStore()

  test('gets no fourth one, alone or with others, also in a dry run, and keeps what it has', async () => {
    await create(['first', 'second'])
    const refusal = await create(['third', 'fourth']).catch((error) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.message).toBe(
      'This workspace has 2 of at most 3 links, so 2 more cannot be added. Delete links that you no longer need, or ask the operator of this server.',
    )
    const attempt = tryToCreate(deps(), ownerOf(store.workspaceId), linksWith(['third', 'fourth']))
    await expect(attempt).rejects.toThrow('2 of at most 3 links')
    expect(await count()).toBe(2)
    await create(['third'])
    await expect(create(['fourth'])).rejects.toThrow('3 of at most 3 links')
    expect(await count()).toBe(3)
  })

  test('gets exactly 3 of 12 that are created at once', async () => {
    const codes = Array.from({ length: 12 }, (_, index) => `at-once-${index}`)
    const results = await Promise.allSettled(codes.map((code) => create([code])))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await count()).toBe(3)
  })

  test('has room for another once one is in the trash, from where it does not return before there is room again', async () => {
    await create(['first', 'second', 'third'])
    await deleteLink(deps(), ownerOf(store.workspaceId), defaultKey('first'))
    await create(['fourth'])
    const restore = () => restoreLink(deps(), ownerOf(store.workspaceId), defaultKey('first'))
    await expect(restore()).rejects.toThrow('3 of at most 3 links')
    expect(await count()).toBe(3)
  })

  test('has no limit on another plan, or if an operator owns it', async () => {
    const limit = () => linkLimitOf({ db: store.db, linksMax: { free: 3 } }, store.workspaceId)
    expect(await limit()).toBe(3)
    await store.db
      .updateTable('workspaces')
      .set({ plan: 'pro' })
      .where('id', '=', store.workspaceId)
      .execute()
    expect(await limit()).toBeNull()
    await store.db
      .updateTable('workspaces')
      .set({ plan: 'free' })
      .where('id', '=', store.workspaceId)
      .execute()
    await store.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('email', '=', 'owner@example.com')
      .execute()
    expect(await limit()).toBeNull()
  })

  const deps = () => ({
    ...UNHEARD,
    db: store.db,
    clock: systemClock,
    linksMax: { free: 3 },
    trashDays: 30,
  })

  const linksWith = (codes: string[]) =>
    codes.map((code) => newLinkTo('https://example.com/', { custom_code: code }))

  const create = (codes: string[]) => createUnasked(deps(), ownerOf(store.workspaceId), linksWith(codes))
  const count = async () => (await linkCounts(store.db, store.workspaceId)).links
})
