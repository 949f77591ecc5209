import { beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { modelIds, type ModelLink } from '../../../test/rigs/store/link-list-model.ts'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { useSharedOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { overview } from '../../analytics/overview.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import { indexNewLinks } from '../../store/engine-sql.ts'
import { transact } from '../../store/transact.ts'
import { selectLinks, toLink } from '../link.ts'
import { defaultKey } from '../link-key.ts'
import { LINK_STATUSES } from '../link-status.ts'
import { countLabels } from '../labels/count-labels.ts'
import { deleteLink } from '../trash/delete-link.ts'
import { countLinks } from './count-links.ts'
import { everyLink } from './every-link.ts'
import type { LinkFilters } from './list-parameters.ts'
import { DIRECTIONS, LINK_SORTS, type LinkOrder } from './link-order.ts'
import { listLinks } from './list-links.ts'

const LINKS = 70
const NOW_US = 1_795_262_400_000_000
const SECOND_US = 1_000_000
const domains = noOtherDomains('https://s.example')

let state = 11

describe('lists like those of a plain model', () => {
  const store = useSharedOwnedStore()
  let links: ModelLink[]
  const clock = manualClock(NOW_US - LINKS * SECOND_US)

  beforeAll(fillWorkspace)

  test('random lists have the links, the order and the total of the model', compareLists)

  test('so do exported ones', async () => {
    const order = { sort: 'created_at', direction: 'desc' } as const
    for (let round = 0; round < ROUNDS / 10; round++) {
      const list = { search: oneOf(['', ...SEARCHES]), filters: randomFilters() }
      const ids: number[] = []
      for await (const page of everyLink(listDeps(), ownerOf(store.workspaceId), list))
        ids.push(...page.map(({ link }) => link.id))
      const expected = modelIds(links, { ...list, order }, WORLD).sort((a, b) => b - a)
      expect([list, ids]).toEqual([list, expected])
    }
  })

  test('links that lead somewhere are counted, with and without blocked hosts', async () => {
    const filters: LinkFilters = { archived: 'include', status: ['active'] }
    const order = { sort: 'created_at', direction: 'desc' } as const
    const count = async () =>
      (await overview({ db: store.readDb, clock }, ownerOf(store.workspaceId))).activeLinks
    const countInModel = (world = WORLD) => modelIds(links, { search: '', filters, order }, world).length
    expect(await count()).toBe(countInModel())
    const blocks = await store.db.selectFrom('blocked_hosts').selectAll().execute()
    await store.db.deleteFrom('blocked_hosts').execute()
    expect(await count()).toBe(countInModel({ ...WORLD, blockedHost: 'none.example' }))
    await store.db.insertInto('blocked_hosts').values(blocks).execute()
  })

  test('so do those of a workspace that has many links, and many with a label', async () => {
    await transact(store.relaxedDb, async (tx) => {
      await countLinks(tx, store.workspaceId, { links: 9 * MANY, active: 9 * MANY, archived: 0 })
      const labels = await tx.selectFrom('labels').select('id').where('folded_name', '<>', 'rare').execute()
      await countLabels(tx, new Map(labels.map(({ id }) => [id, { links: MANY, archived: 0 }])))
    })
    await compareLists()
  })

  async function fillWorkspace(): Promise<void> {
    const { workspaceId: strangerId } = await addAccount(store.db, { email: 'stranger@example.com' })
    await addDomains()
    for (let n = 0; n < LINKS; n++) {
      await makeLink(n, ownerOf(store.workspaceId))
      if (n % 10 === 0) await makeLink(LINKS + n, ownerOf(strangerId))
      if (n === LINKS / 2) while (await indexNewLinks(store.relaxedDb));
    }
    await addClicks()
    for (const code of DELETED) await deleteLink(deps(), ownerOf(store.workspaceId), defaultKey(code))
    const blocked = { host: WORLD.blockedHost, reason: 'Phishing', created_at: 1 }
    await store.db.insertInto('blocked_hosts').values(blocked).execute()
    clock.advance(NOW_US - clock.nowUs())
    links = await readLinks()
  }

  const deps = () => ({ db: store.db, clock, ...UNHEARD })

  const addDomains = async () => {
    const plain = {
      isServed: true,
      workspaceId: store.workspaceId,
      isDefault: false,
      ignoresCase: false,
      pathPrefix: '',
    }
    const urls = { homeUrl: null, notFoundUrl: null, expiredUrl: null }
    const own = [
      { ...plain, ...urls, id: OTHER_DOMAIN, host: 'go.example' },
      { ...plain, ...urls, id: FAILING_DOMAIN, host: 'failing.example' },
    ]
    domains.replace(own)
    const row = { host: null, failing_since: null, removed_at: null }
    const rows = [
      { ...row, id: OTHER_DOMAIN, name: 'go.example', host: 'go.example' },
      { ...row, id: FAILING_DOMAIN, name: 'failing.example', host: 'failing.example', failing_since: 1 },
      { ...row, id: PENDING_DOMAIN, name: 'pending.example' },
      { ...row, id: REMOVED_DOMAIN, name: 'removed.example', removed_at: 1 },
    ].map((each) => ({ ...each, workspace_id: store.workspaceId, created_at: 1 }))
    await store.db.insertInto('domains').values(rows).execute()
  }

  const makeLink = async (n: number, owner: ReturnType<typeof ownerOf>) => {
    if (below(5) > 0) clock.advance(SECOND_US)
    const endsAtUs = [null, null, NOW_US, NOW_US + 1, NOW_US + WEEK_US - 1, NOW_US + WEEK_US]
    const custom_code = `link-${n}`
    const host = !(custom_code in LIMITS) && below(8) === 0 ? WORLD.blockedHost : 'example.com'
    const link = newLinkTo(`https://${host}/${oneOf(WORDS)}`, {
      custom_code,
      title: below(3) === 0 ? '' : `${oneOf(WORDS)} ${below(4)}`,
      tags: [...(below(4) === 0 ? [] : ['red']), ...some(NAMES.slice(1, 3)), ...(n === 8 ? ['rare'] : [])],
      folder: maybe(2, () => oneOf(NAMES)) ?? null,
      notes: maybe(5, () => oneOf(WORDS)) ?? null,
      external_id: maybe(5, () => `order-${n}`) ?? null,
      archived: below(5) === 0,
      is_active: below(5) > 0,
      starts_at: maybe(5, () => NOW_US - 1 + below(3)) ?? null,
      expires_at: oneOf(endsAtUs),
      max_clicks: maybe(3, () => 1 + below(3)) ?? null,
      ...limited(custom_code),
    })
    const domainId = DOMAINS[n % 8] ?? 0
    const caller = { ...owner, userId: n % 3 === 0 ? owner.workspaceId : null }
    await createUnasked(deps(), caller as never, [{ ...link, domainId, importId: IMPORTS[n % 5] }])
  }

  /** Nothing but the limit decides whether they need attention. */
  const limited = (code: string) =>
    code in LIMITS && {
      is_active: true,
      starts_at: null,
      expires_at: LIMITS[code]![2] ?? null,
      max_clicks: LIMITS[code]![0],
    }

  const addClicks = async () => {
    const rows = await store.db.selectFrom('links').select(['id', 'workspace_id', 'code']).execute()
    for (const { id, workspace_id, code } of rows.filter((row) => row.code in LIMITS || below(2) === 0)) {
      const counts = { clicks: below(4), visitors: 0, bots: 0 }
      const last_clicked_at = below(3) === 0 ? null : NOW_US - below(5)
      const total = { link_id: id, workspace_id, ...counts, last_clicked_at }
      await store.db.insertInto('link_totals').values(total).execute()
      await store.db
        .insertInto('link_openings')
        .values({ link_id: id, opened: LIMITS[code]?.[1] ?? below(4) })
        .execute()
    }
  }

  const readLinks = async (): Promise<ModelLink[]> => {
    const rows = await selectLinks(store.db)
      .select(['link_totals.last_clicked_at', 'links.created_by', 'links.import_id'])
      .where('links.workspace_id', '=', store.workspaceId)
      .execute()
    expect(rows).toHaveLength(LINKS - DELETED.length)
    return rows.map((row) => ({
      link: toLink(row),
      lastClickedAtUs: row.last_clicked_at,
      createdBy: row.created_by,
      importId: row.import_id,
    }))
  }

  const listDeps = () => ({ db: store.readDb, clock, domains })

  const randomFilters = (): LinkFilters =>
    withoutUndefined({
      archived: oneOf(['exclude', 'only', 'include']),
      tag: maybe(2, () => [oneOf(NAMES), ...some(NAMES)]),
      tag_mode: oneOf(['any', 'all']),
      folder: maybe(3, () => [oneOf([...NAMES, 'no such folder']), ...some(NAMES)]),
      status: maybe(3, () => [oneOf(LINK_STATUSES), ...some(LINK_STATUSES)]),
      needs_attention: maybe(5, () => true),
      id: maybe(8, () => [oneOf(links), ...some(links)].map(({ link }) => link.id)),
      external_id: maybe(12, () => oneOf(links).link.options.external_id ?? 'order-0'),
      domain: maybe(4, () => [oneOf([...Object.keys(HOSTS), 'no.example'])]),
      created_by: maybe(5, () => [oneOf([store.workspaceId, 999])]),
      import_id: maybe(6, () => [oneOf([1, 2, 999]), ...some([1, 2])]),
      created_from: maybe(5, () => oneOf(links).link.createdAtUs),
      created_to: maybe(5, () => oneOf(links).link.createdAtUs),
      expires_before: maybe(5, () => NOW_US + oneOf([0, WEEK_US, 2 * WEEK_US])),
    })

  async function compareLists(): Promise<void> {
    let nonempty = 0
    for (let round = 0; round < ROUNDS; round++) {
      const order: LinkOrder = { sort: oneOf(LINK_SORTS), direction: oneOf(DIRECTIONS) }
      const filters: LinkFilters = below(3) === 0 ? { archived: 'include' } : randomFilters()
      const list = { search: maybe(2, () => oneOf(SEARCHES)) ?? '', filters, order }
      const ids = modelIds(links, list, WORLD)
      const perPage = oneOf([PER_PAGE, 1, LINKS])
      const page = 1 + below(1 + Math.ceil(ids.length / perPage))
      const found = await listLinks(listDeps(), ownerOf(store.workspaceId), { ...list, page, perPage })
      const expected = ids.slice((page - 1) * perPage, page * perPage)
      expect([list, page, perPage, found.links.map(({ id }) => id), found.total % MANY]).toEqual([
        list,
        page,
        perPage,
        expected,
        ids.length,
      ])
      if (expected.length > 0) nonempty++
    }
    expect(nonempty).toBeGreaterThan(ROUNDS / 4)
  }
})

const DELETED = ['link-4', 'link-15', 'link-44']
const ROUNDS = 200
const PER_PAGE = 7

/** Added to the counts that are kept, so that lists are read as those of a workspace with many links. */
const MANY = 1_000_000

const WEEK_US = 7 * DAY_US

/** Most links have the first, and one has the last. */
const NAMES = ['Red', 'green', 'BLUE', 'rare']

const WORDS = ['coffee', 'Tea', 'launch', 'ab']
const [OTHER_DOMAIN, FAILING_DOMAIN, PENDING_DOMAIN, REMOVED_DOMAIN] = [1, 2, 3, 4]
const DOMAINS = [OTHER_DOMAIN, FAILING_DOMAIN, PENDING_DOMAIN, REMOVED_DOMAIN]

const withoutUndefined = <Values extends object>(values: {
  [Name in keyof Values]: Values[Name] | undefined
}) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values

const SEARCHES = [
  'coffee',
  'TEA coffee',
  'lau',
  'a',
  'ab',
  'link-1',
  's.example/link-12',
  'go.example/link-16',
  'zzz',
]
/** Their limits, and how much of each is used: more and less than nine tenths, and by one that has ended. */
const LIMITS: Record<string, [max: number, opened: number, endsAtUs?: number]> = {
  'link-20': [10, 8],
  'link-21': [10, 9],
  'link-22': [1_000_000_000, 899_999_999],
  'link-23': [1_000_000_000, 900_000_000],
  'link-28': [10, 9, NOW_US],
}
const HOSTS = { 's.example': 0, 'go.example': OTHER_DOMAIN, 'failing.example': FAILING_DOMAIN }
const WORLD = {
  nowUs: NOW_US,
  blockedHost: 'blocked.example',
  domainIds: HOSTS,
  brokenDomainIds: [FAILING_DOMAIN, PENDING_DOMAIN],
}
const below = (bound: number) => (state = (state * 48_271) % 2_147_483_647) % bound
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
/** What created a link, by the remainder of its number. */
const IMPORTS = [1, undefined, 2, undefined, 1]

const some = <Value>(values: readonly Value[]) => values.filter(() => below(3) === 0)
const maybe = <Value>(odds: number, value: () => Value): Value | undefined =>
  below(odds) === 0 ? value() : undefined
