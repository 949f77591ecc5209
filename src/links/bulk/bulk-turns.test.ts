import { beforeEach, describe, expect, test } from 'bun:test'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { useOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { systemClock } from '../../runtime/clock.ts'
import { defaultKey } from '../link-key.ts'
import { deleteLinks } from './delete-links.ts'
import { restoreLinks } from './restore-links.ts'
import { updateLinks } from './update-links.ts'

const LINKS = 100
const CODES = Array.from({ length: LINKS }, (_, n) => `code-${n}`)
// On PostgreSQL, every statement waits for the network, so others run anyway.
describe('on SQLite, a request about 100 links', () => {
  const store = useOwnedStore('sqlite')

  beforeEach(makeLinks)

  test('lets others run between the links that it changes, deletes, restores and looks for', async () => {
    const owner = ownerOf(store.workspaceId)
    const set = { tags: [], fallback_url: 'https://example.com/ended' }
    const update = updateLinks(deps(), owner, { keys: KEYS, set, isDryRun: false })
    expect(await turnsDuring(update)).toBeGreaterThanOrEqual(9)
    const deletion = deleteLinks(deps(), owner, { keys: KEYS, isDryRun: false })
    expect(await turnsDuring(deletion)).toBeGreaterThanOrEqual(4)
    expect(await turnsDuring(restoreLinks(deps(), owner, KEYS))).toBeGreaterThanOrEqual(12)
    const links = CODES.map((_, n) => newLinkTo(`https://example.com/${n}`, { reuse_existing: true }))
    const creation = createUnasked(deps(), owner, links)
    expect(await turnsDuring(creation)).toBeGreaterThanOrEqual(4)
  })

  async function makeLinks(): Promise<void> {
    const links = CODES.map((custom_code, n) =>
      newLinkTo(`https://example.com/${n}`, { custom_code, aliases: [`alias-${n}`], tags: [`Tag ${n}`] }),
    )
    await createUnasked(deps(), ownerOf(store.workspaceId), links)
  }

  const deps = () => ({ ...UNHEARD, db: store.db, clock: systemClock, linksMax: {}, trashDays: 30 })

  /** How often others were served before it was done. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let isDone = false
    const done = work.finally(() => (isDone = true))
    let turns = 0
    for (; !isDone; turns++) await new Promise(setImmediate)
    await done
    return turns
  }
})

const KEYS = CODES.map(defaultKey)
