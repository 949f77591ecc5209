import { beforeEach, describe, expect, test } from 'bun:test'
import { createUnasked, UNHEARD } from '../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { NO_OWN_HOST } from '../../test/rigs/redirect/no-own-host.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useOwnedStore } from '../../test/rigs/store/owned-store.ts'
import { systemClock } from '../runtime/clock.ts'
import { defaultKey } from './link-key.ts'
import { editProtectedLink } from './edit-link.ts'

describe('passwords of links', () => {
  const store = useOwnedStore()
  let hashed: string[]

  beforeEach(async () => {
    hashed = []
  })

  test('are hashed once it is sure that an edit is accepted', async () => {
    const links = ['taken', 'edited'].map((custom_code) => newLinkTo('https://example.com/', { custom_code }))
    await createUnasked(deps(), ownerOf(store.workspaceId), links)
    const edit = (fields: object) =>
      editProtectedLink(deps(), ownerOf(store.workspaceId), { key: defaultKey('edited'), edit: fields })
    expect(await edit({ password: 'one', aliases: ['taken'] }).catch(({ kind }) => kind)).toBe('invalid')
    expect(hashed).toEqual([])
    await edit({ password: 'one', aliases: ['other'] })
    expect([hashed, (await stored())[1]!.password_hash]).toEqual([['one'], 'hash of one'])
    await edit({ password: null })
    expect((await stored())[1]!.password_hash).toBeNull()
  })

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
})
