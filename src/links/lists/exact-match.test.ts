import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { enginesToTest } from '../../../test/rigs/store/test-store.ts'
import { useSharedOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { manualClock } from '../../runtime/clock.ts'
import type { LinkFilters } from './list-parameters.ts'
import { NEWEST_FIRST } from './link-order.ts'
import { listLinks } from './list-links.ts'

const START_US = 1_795_262_400_000_000
/** `insta` is found in all of them but the last. */
const CODES = ['advent', 'insta-1', 'insta', 'insta-2', 'insta-3', 'other']
const NEWEST = ['insta-3', 'insta-2', 'insta', 'insta-1', 'advent']
const EXACT_FIRST = ['insta', 'insta-3', 'insta-2', 'insta-1', 'advent']

describe.each(enginesToTest('searching for a code'))('on %s', (engine) => {
  const store = useSharedOwnedStore(engine)

  beforeAll(async () => {
    const deps = {
      db: store.db,
      clock: manualClock(START_US),
      ...UNHEARD,
    }
    for (const code of CODES)
      await createUnasked(deps, ownerOf(store.workspaceId), [
        newLinkTo('https://example.com/', {
          custom_code: code,
          title: code === 'advent' ? 'On Instagram' : '',
          archived: code === 'insta',
        }),
      ])
  })

  const find = async (search: string, page: { page: number; perPage: number }, more = {}) => {
    const deps = { db: store.readDb, clock: manualClock(START_US), domains: noOtherDomains() }
    const view = {
      ...page,
      search,
      filters: { archived: 'include' } as LinkFilters,
      order: NEWEST_FIRST,
      ...more,
    }
    const { links, total } = await listLinks(deps, ownerOf(store.workspaceId), view)
    return { codes: links.map(({ code }) => code), total }
  }

  test.each([1, 2, 3, 4, 5, 6])('it comes first, and pages of %d have each match once', async (perPage) => {
    const pages = []
    for (let page = 1; page <= 6; page++) pages.push(await find('insta', { page, perPage }))
    expect(pages.map(({ total }) => total)).toEqual(Array(6).fill(5))
    expect(pages.map(({ codes }) => codes)).toEqual(
      Array.from({ length: 6 }, (_, at) => EXACT_FIRST.slice(at * perPage, (at + 1) * perPage)),
    )
  })

  test('its place is that of its age if another order is asked for, or more than its code', async () => {
    const all = { page: 1, perPage: 10 }
    const oldest = { order: { sort: 'created_at', direction: 'asc' } }
    expect((await find('insta', all, oldest)).codes).toEqual(NEWEST.toReversed())
    expect((await find('inst', all)).codes).toEqual(NEWEST)
    expect((await find('insta example', all)).codes).toEqual(NEWEST)
  })

  test('a filter that leaves it out leaves it out', async () => {
    const filters = { filters: { archived: 'exclude' } }
    expect(await find('insta', { page: 1, perPage: 10 }, filters)).toEqual({
      codes: NEWEST.filter((code) => code !== 'insta'),
      total: 4,
    })
  })
})
