import { describe, expect, test } from 'bun:test'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { NO_OWN_HOST } from '../../../test/rigs/redirect/no-own-host.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { useOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { checkCounters } from '../../clicks/repair/check-counters.ts'
import { Refusal } from '../../errors/refusal.ts'
import { systemClock } from '../../runtime/clock.ts'
import { editLink } from '../edit-link.ts'
import { defaultKey } from '../link-key.ts'
import { deleteLink } from '../trash/delete-link.ts'
import { restoreLink } from '../trash/restore-link.ts'
import type { LabelKind } from './label.ts'
import { listLabels } from './list-labels.ts'
import { deleteLabel, mergeLabels } from './remove-label.ts'

const CODES = Array.from({ length: 12 }, (_, n) => `link-${n}`)
const NAMES = ['red', 'green', 'blue', 'black']
const ROUNDS = 8
const CHANGES_AT_ONCE = 16

describe('counts of labels', () => {
  const store = useOwnedStore()

  test('the counts are right after changes of every kind at the same time', async () => {
    const owner = ownerOf(store.workspaceId)
    const deps = {
      db: store.db,
      clock: systemClock,
      trashDays: 30,
      destinationRules: NO_OWN_HOST,
      ...UNHEARD,
    }
    let state = 7
    const below = (bound: number) => (state = (state * 48_271) % 2_147_483_647) % bound
    const some = () => NAMES.filter(() => below(2) === 0)
    const labelId = async (kind: LabelKind) => {
      const labels = await listLabels(store, owner, kind)
      return labels[below(Math.max(1, labels.length))]?.id ?? 0
    }
    await createUnasked(
      deps,
      owner,
      CODES.map((code) =>
        newLinkTo('https://example.com/', { custom_code: code, tags: some(), folder: NAMES[below(4)]! }),
      ),
    )
    const change = async (): Promise<void> => {
      const key = defaultKey(CODES[below(CODES.length)]!)
      const kind = below(2) === 0 ? 'tag' : 'folder'
      const which = below(8)
      if (which === 0) return deleteLink(deps, owner, key)
      if (which === 1) return restoreLink(deps, owner, key)
      if (which === 2) return deleteLabel(deps, owner, { kind, id: await labelId(kind) })
      if (which === 3)
        return mergeLabels(deps, owner, { kind, id: await labelId(kind), into: await labelId(kind) })
      if (which === 4) return editLink(deps, owner, { key, edit: { archived: below(2) === 0 } })
      const folder = [null, ...NAMES][below(5)]!
      return editLink(deps, owner, { key, edit: { tags: some(), folder, archived: below(2) === 0 } })
    }
    // What is gone, or not in the trash, is refused.
    const changed = () =>
      change().catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, changed))
    for (const code of CODES)
      await restoreLink(deps, owner, defaultKey(code)).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    const checks = await checkCounters(store.db)
    expect(checks.filter(({ broken }) => broken.length > 0)).toEqual([])
    const { total } = await store.db
      .selectFrom('link_labels')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBeGreaterThan(0)
  })
})
