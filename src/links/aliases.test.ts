import { beforeEach, describe, expect, test } from 'bun:test'
import { createUnasked } from '../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { NO_OWN_HOST } from '../../test/rigs/redirect/no-own-host.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useOwnedStore } from '../../test/rigs/store/owned-store.ts'
import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { systemClock } from '../runtime/clock.ts'
import { editLink } from './edit-link.ts'
import { findLink } from './find-link.ts'
import { defaultKey, type LinkKey } from './link-key.ts'

describe('aliases', () => {
  const store = useOwnedStore()
  let logged: ClaimedCode[]
  let changed: LinkKey[]

  beforeEach(async () => {
    logged = []
    changed = []
  })

  test('are written into the code log when they are claimed, and caches drop every code of the link', async () => {
    await create('own', ['one', 'two'])
    expect(logged.map(({ code }) => code)).toEqual(['own', 'one', 'two'])
    logged = []
    changed = []
    await edit('one', ['two', 'three'])
    expect(logged).toEqual([
      { domainId: 0, code: 'three', workspaceId: store.workspaceId, linkId: expect.any(Number) },
    ])
    expect(changed.map(({ code }) => code).sort()).toEqual(['one', 'own', 'three', 'two'])
  })

  test('are exchanged by edits at once without waiting for each other', async () => {
    await create('first', ['aaa'])
    await create('second', ['zzz'])
    for (let round = 0; round < 20; round++) {
      const swapped = round % 2 === 0
      // Each wants what the other one has, or gets it if that one has let go of it first.
      const edits = await Promise.allSettled([
        edit('first', [swapped ? 'zzz' : 'aaa']),
        edit('second', [swapped ? 'aaa' : 'zzz']),
      ])
      for (const outcome of edits)
        if (outcome.status === 'rejected') expect(outcome.reason.fields).toHaveProperty(['aliases.0'])
      await edit('first', [])
      await edit('second', [])
      await Promise.all([edit('first', ['aaa', 'bbb']), edit('second', ['yyy', 'zzz'])])
    }
    expect([await aliasesOf('first'), await aliasesOf('second')]).toEqual([
      ['aaa', 'bbb'],
      ['yyy', 'zzz'],
    ])
  })

  const deps = () => ({
    db: store.db,
    clock: systemClock,
    destinationRules: NO_OWN_HOST,
    changes: { changed: (keys: readonly LinkKey[]) => void changed.push(...keys) },
    codeLog: {
      async ready() {},
      note: (claims: readonly ClaimedCode[]) => void logged.push(...claims),
      async keep() {},
    },
    linksMax: {},
  })

  const create = (code: string, aliases: string[] = []) =>
    createUnasked(deps(), ownerOf(store.workspaceId), [
      newLinkTo('https://example.com/', { custom_code: code, aliases }),
    ])

  const edit = (code: string, aliases: string[]) =>
    editLink(deps(), ownerOf(store.workspaceId), { key: defaultKey(code), edit: { aliases } })

  const aliasesOf = async (code: string) =>
    (await findLink({ db: store.readDb }, ownerOf(store.workspaceId), defaultKey(code))).aliases
})
