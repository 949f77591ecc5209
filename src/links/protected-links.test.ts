import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/add-account.ts'
import { creationOf, UNHEARD } from '../../test/rigs/creation.ts'
import { newLinkTo } from '../../test/rigs/new-link-to.ts'
import { NO_OWN_HOST } from '../../test/rigs/no-own-host.ts'
import { ownerOf } from '../../test/rigs/owner-of.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/test-store.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { defaultKey } from './link-key.ts'
import { createProtectedLinks, editProtectedLink } from './protected-links.ts'

const folders = temporaryFolders()
afterAll(folders.remove)

describe.each(enginesToTest('passwords of links'))('on %s', (engine) => {
  let store: Store
  let workspaceId: number
  let hashed: string[]

  beforeEach(async () => {
    store = await openTestStore(folders.make(), engine)
    ;({ workspaceId } = await addAccount(store.db, { email: 'owner@example.com' }))
    hashed = []
  })
  afterEach(() => store.close())

  const deps = () => ({
    db: store.db,
    clock: systemClock,
    destinationRules: NO_OWN_HOST,
    ...UNHEARD,
    passwords: {
      async hashOfLinks(_workspaceId: number, passwords: readonly string[]) {
        hashed.push(...passwords)
        return passwords.map((password) => `hash of ${password}`)
      },
    },
  })
  const linkAt = (custom_code: string, password?: string) =>
    newLinkTo('https://example.com/', { custom_code, password })
  const create = (links: ReturnType<typeof newLinkTo>[], rest: object = {}) =>
    createProtectedLinks(deps(), ownerOf(workspaceId), { ...creationOf(links), ...rest }).catch(
      ({ kind }) => kind,
    )
  const stored = () => store.db.selectFrom('links').select(['code', 'password_hash']).orderBy('id').execute()

  test('are hashed once it is sure that all links are created', async () => {
    await create([linkAt('taken')])
    expect(await create([linkAt('first', 'one'), linkAt('taken', 'two')])).toBe('invalid')
    await create([linkAt('first', 'one')], { isDryRun: true })
    expect(hashed).toEqual([])
    await create([linkAt('first', 'one'), linkAt('second'), linkAt('third', 'three')])
    expect(hashed).toEqual(['one', 'three'])
    expect(await stored()).toEqual([
      { code: 'taken', password_hash: null },
      { code: 'first', password_hash: 'hash of one' },
      { code: 'second', password_hash: null },
      { code: 'third', password_hash: 'hash of three' },
    ])
  })

  test('are hashed once it is sure that an edit is accepted', async () => {
    await create([linkAt('taken'), linkAt('edited')])
    const edit = (fields: object) =>
      editProtectedLink(deps(), ownerOf(workspaceId), { key: defaultKey('edited'), edit: fields })
    expect(await edit({ password: 'one', aliases: ['taken'] }).catch(({ kind }) => kind)).toBe('invalid')
    expect(hashed).toEqual([])
    await edit({ password: 'one', aliases: ['other'] })
    expect([hashed, (await stored())[1]!.password_hash]).toEqual([['one'], 'hash of one'])
    await edit({ password: null })
    expect((await stored())[1]!.password_hash).toBeNull()
  })
})
