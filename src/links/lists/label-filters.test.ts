import { noOtherDomains } from '../../../test/rigs/no-other-domains.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/creation.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/add-account.ts'
import { newLinkTo } from '../../../test/rigs/new-link-to.ts'
import { ownerOf } from '../../../test/rigs/owner-of.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../../test/rigs/test-store.ts'
import { manualClock } from '../../runtime/clock.ts'
import type { Store } from '../../store/open-store.ts'
import type { Link } from '../link.ts'
import { defaultKey } from '../link-key.ts'
import { deleteLink } from '../trash/delete-link.ts'
import { countListed } from './count-listed.ts'
import { filterMoment } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'
import { DIRECTIONS, LINK_SORTS, type LinkOrder } from './link-order.ts'
import { listLinks } from './list-links.ts'

const folders = temporaryFolders()
afterAll(folders.remove)

/** Most links have the first: lists of it are read in another way. */
const NAMES = ['Red', 'green', 'BLUE', 'rare']
const LINKS = 60
const START_US = 1_795_262_400_000_000
const SECOND_US = 1_000_000
/** When links end that have not ended. */
const FAR_US = START_US * 2

let state = 11
const below = (bound: number) => (state = (state * 48_271) % 2_147_483_647) % bound
const some = <Value>(values: readonly Value[]) => values.filter(() => below(3) === 0)

describe.each(enginesToTest('filters by label'))('on %s', (engine) => {
  let store: Store
  let workspaceId: number
  const clock = manualClock(START_US)
  const deps = () => ({
    db: store.db,
    clock,
    ...UNHEARD,
  })

  beforeAll(async () => {
    store = await openTestStore(folders.make(), engine)
    ;({ workspaceId } = await addAccount(store.db, { email: 'owner@example.com' }))
    for (let n = 0; n < LINKS; n++) {
      clock.advance(SECOND_US)
      const red = below(4) === 0 ? [] : ['red']
      const tags = n === 8 ? NAMES : [...red, ...some(NAMES.slice(1, 3))]
      const link = newLinkTo('https://example.com/', {
        ...{ custom_code: `link-${n}`, title: below(3) === 0 ? '' : `title ${below(9)}`, tags },
        ...{ folder: below(3) === 0 ? null : NAMES[below(3)]!, archived: below(4) === 0 },
        is_active: below(4) !== 0,
        expires_at: n % 3 === 0 ? null : FAR_US + n,
      })
      const userId = n % 2 === 0 ? workspaceId : null
      await createUnasked(deps(), { ...ownerOf(workspaceId), userId } as never, [link])
    }
    for (const code of ['link-3', 'link-7', 'link-40'])
      await deleteLink(deps(), ownerOf(workspaceId), defaultKey(code))
    const ids = await store.db.selectFrom('links').select('id').execute()
    for (const { id } of ids.filter(() => below(2) === 0))
      await store.db
        .insertInto('link_totals')
        .values({
          ...{ link_id: id, account_id: workspaceId, clicks: below(4), visitors: 0, bots: 0 },
          last_clicked_at: below(3) === 0 ? null : START_US + below(5),
        })
        .execute()
  })
  afterAll(() => store.close())

  const list = (filters: LinkFilters, order: LinkOrder, page = { page: 1, perPage: 100 }) =>
    listLinks({ db: store.readDb, clock, domains: noOtherDomains() }, ownerOf(workspaceId), {
      ...{ ...page, search: '', filters, order },
    })

  const randomFilters = (): LinkFilters => ({
    archived: (['exclude', 'only', 'include'] as const)[below(3)]!,
    tag: some(NAMES).map((name) => (below(2) === 0 ? name : name.toUpperCase())),
    tag_mode: below(2) === 0 ? 'any' : 'all',
    folder: some([...NAMES, 'no such folder']),
    ...(below(3) === 0 ? { expires_before: FAR_US + below(LINKS) } : {}),
    ...(below(3) === 0 ? { status: some(['active', 'disabled', 'expired'] as const) } : {}),
    ...(below(3) === 0 ? { created_by: [workspaceId] } : {}),
    ...(below(3) === 0
      ? { created_from: START_US + 10 * SECOND_US, created_to: START_US + 50 * SECOND_US }
      : {}),
  })

  const has = (link: Link, filters: LinkFilters) => {
    const { archived, tag: tags, folder: folders, status: statuses } = filters
    const {
      created_by: createdBy,
      created_from: fromUs,
      created_to: toUs,
      expires_before: endsBeforeUs,
    } = filters
    const [own, names] = [link.tags, tags!].map((list) => list.map((name) => name.toLowerCase()))
    const inFolder = folders!.some((name) => name.toLowerCase() === link.folder?.toLowerCase())
    const hasTags =
      filters.tag_mode === 'all'
        ? names!.every((name) => own!.includes(name))
        : names!.some((name) => own!.includes(name))
    const number = Number(link.code.slice('link-'.length))
    return (
      (archived === 'include' || (link.options.is_archived === 1) === (archived === 'only')) &&
      (names!.length === 0 || hasTags) &&
      (folders!.length === 0 || inFolder) &&
      (endsBeforeUs === undefined || (link.options.expires_at ?? Infinity) < endsBeforeUs) &&
      (statuses === undefined || statuses.includes(link.isActive ? 'active' : 'disabled')) &&
      (createdBy === undefined || number % 2 === 0) &&
      (fromUs === undefined || (link.createdAtUs >= fromUs && link.createdAtUs < toUs!))
    )
  }

  const idsOf = (links: readonly Link[]) => links.map(({ id }) => id)

  test('random filters find the links that have what they ask for, in every order, and count them', async () => {
    const orders = LINK_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => ({ sort, direction })))
    const all = new Map<LinkOrder, Link[]>()
    for (const order of orders) {
      const { links } = await list({ archived: 'include' }, order)
      expect(links).toHaveLength(LINKS - 3)
      all.set(order, links)
    }
    for (let round = 0; round < 80; round++) {
      const filters = randomFilters()
      if (filters.status?.length === 0) delete filters.status
      for (const order of orders) {
        const wanted = idsOf(all.get(order)!.filter((link) => has(link, filters)))
        const { links, total } = await list(filters, order)
        expect([filters, order, idsOf(links), total]).toEqual([filters, order, wanted, wanted.length])
        const second = await list(filters, order, { page: 2, perPage: 5 })
        expect([filters, order, idsOf(second.links), second.total]).toEqual([
          filters,
          order,
          wanted.slice(5, 10),
          wanted.length,
        ])
      }
    }
  })

  test('what many links have is counted as what few have', async () => {
    const byAge = { sort: 'created_at', direction: 'desc' } as const
    const { links } = await list({ archived: 'include' }, byAge)
    let rounds = 0
    while (rounds < 40) {
      const filters = randomFilters()
      if (filters.status?.length === 0) delete filters.status
      const counts = { links: 1_000_000, active: 1_000_000, archived: 1 }
      const known = { filters, counts, nowUs: clock.nowUs() }
      const moment = await filterMoment(
        { db: store.readDb, domains: noOtherDomains() },
        ownerOf(workspaceId),
        known,
      )
      // Of one label, the counts that are kept are asked.
      if (moment.labelGroups.length < 2) continue
      const labelGroups = moment.labelGroups.map((group) => ({ ...group, links: 100_000 }))
      const wanted = links.filter((link) => has(link, filters)).length
      expect([filters, await countListed({ ...moment, labelGroups }, filters)]).toEqual([filters, wanted])
      rounds++
    }
  })
})
