import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { createUnasked, UNHEARD } from '../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { NO_OWN_HOST } from '../../test/rigs/redirect/no-own-host.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { defaultKey } from './link-key.ts'
import { editProtectedLink } from './edit-link.ts'

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
  const stored = () => store.db.selectFrom('links').select(['code', 'password_hash']).orderBy('id').execute()

  test('are hashed once it is sure that an edit is accepted', async () => {
    const links = ['taken', 'edited'].map((custom_code) => newLinkTo('https://example.com/', { custom_code }))
    await createUnasked(deps(), ownerOf(workspaceId), links)
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
