import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { enginesToTest } from '../../../test/rigs/store/test-store.ts'
import { useSharedOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { overview } from '../../analytics/overview.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import type { LinkFilters } from './list-parameters.ts'
import { DIRECTIONS, LINK_SORTS, type LinkOrder, NEWEST_FIRST } from './link-order.ts'
import { listLinks } from './list-links.ts'

const NOW_US = 1_795_262_400_000_000
const WEEK_US = 7 * DAY_US
const ENDS = [null, NOW_US, NOW_US + 1, NOW_US + WEEK_US - 1, NOW_US + WEEK_US, NOW_US + 90 * DAY_US]
/** The limit, and how much of it is used. */
const LIMITS = [
  [null, 5],
  [1, 0],
  [1, 1],
  [10, 8],
  [10, 9],
  [1_000_000_000, 899_999_999],
  [1_000_000_000, 900_000_000],
  [7, 9],
] as const
const HOSTS = ['free.example', 'sub.blocked.example:8080', 'not-blocked.example']

const LINKS = HOSTS.flatMap((host) =>
  [true, false].flatMap((isActive) =>
    ENDS.flatMap((endsAtUs) => LIMITS.map((limit) => ({ host, isActive, endsAtUs, limit }))),
  ),
).map((link, at) => ({ ...link, code: `link-${at}`, isArchived: at % 5 === 0 }))

/** As documented, one link at a time. */
function needsAttention({ host, isActive, endsAtUs, limit: [max, opened] }: (typeof LINKS)[number]): boolean {
  if (host.includes('.blocked.')) return true
  if (!isActive || (endsAtUs !== null && endsAtUs <= NOW_US)) return false
  return (endsAtUs !== null && endsAtUs < NOW_US + WEEK_US) || (max !== null && opened >= 0.9 * max)
}

const ORDERS = LINK_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => ({ sort, direction })))

describe.each(enginesToTest('links that need attention'))('on %s', (engine) => {
  const store = useSharedOwnedStore(engine)
  const clock = manualClock(NOW_US)

  beforeAll(async () => {
    const { workspaceId: strangerId } = await addAccount(store.db, { email: 'stranger@example.com' })
    for (const owner of [store.workspaceId, strangerId]) await make(owner)
    const links = await store.db.selectFrom('links').select(['id', 'code']).execute()
    const openings = links.map(({ id, code }) => ({
      link_id: id,
      opened: LINKS.find((link) => link.code === code.replace('their-', ''))!.limit[1],
    }))
    await store.db.insertInto('link_openings').values(openings).execute()
    const host = { host: 'blocked.example', reason: 'Phishing', created_at: NOW_US }
    await store.db.insertInto('blocked_hosts').values(host).execute()
  })

  const make = (owner: number) =>
    createUnasked(
      {
        db: store.db,
        clock,
        ...UNHEARD,
      },
      ownerOf(owner),
      LINKS.map(({ code, host, isActive, isArchived, endsAtUs, limit: [max] }) =>
        newLinkTo(`https://${host}/${code}`, {
          custom_code: owner === store.workspaceId ? code : `their-${code}`,
          is_active: isActive,
          archived: isArchived,
          expires_at: endsAtUs,
          max_clicks: max,
          title: code.slice(-1),
        }),
      ),
    )
  const list = async (filters: Partial<LinkFilters>, order: LinkOrder = NEWEST_FIRST, page = 1) => {
    const found = await listLinks(
      { db: store.readDb, clock, domains: noOtherDomains() },
      ownerOf(store.workspaceId),
      {
        page,
        perPage: 100,
        search: '',
        order,
        filters: { archived: 'exclude', needs_attention: true, ...filters },
      },
    )
    return { codes: found.links.map(({ code }) => code), total: found.total }
  }
  const codesOf = (links: typeof LINKS) => links.map(({ code }) => code).sort()
  const wanted = LINKS.filter(needsAttention)

  test('are exactly those, in every order, and counted', async () => {
    const expected = codesOf(wanted.filter(({ isArchived }) => !isArchived))
    expect(expected.length).toBeGreaterThan(100)
    for (const order of ORDERS) {
      const pages = [await list({}, order), await list({}, order, 2)]
      expect(pages.flatMap(({ codes }) => codes).sort()).toEqual(expected)
      expect(pages.map(({ total }) => total)).toEqual([expected.length, expected.length])
    }
    const { codes } = await list({ archived: 'only' })
    expect(codes.sort()).toEqual(codesOf(wanted.filter(({ isArchived }) => isArchived)))
  })

  test('are those on a domain that does not work, too', async () => {
    const before = await list({ archived: 'include' })
    const broken = { workspace_id: store.workspaceId, created_at: NOW_US, failing_since: NOW_US }
    const kinds = [
      { ...broken, name: 'failing.example', host: 'failing.example' },
      { ...broken, name: 'pending.example', host: null, failing_since: null },
      { ...broken, name: 'removed.example', host: null, removed_at: NOW_US },
      { ...broken, name: 'active.example', host: 'active.example', failing_since: null },
    ]
    const ids = await store.db.insertInto('domains').values(kinds).returning('id').execute()
    const calm = LINKS.filter((link) => !needsAttention(link))
    const on = (status: 'on' | 'off' | 'over') =>
      calm.filter(({ isActive, endsAtUs, limit: [max] }) => {
        if (!isActive) return status === 'off'
        return status === (endsAtUs !== null && endsAtUs <= NOW_US ? 'over' : 'on') && max === null
      })
    const [first, second, third, fourth] = on('on')
    const moved = [first!, second!, third!, fourth!, on('off')[0]!, on('over')[0]!]
    const places = [0, 1, 2, 3, 0, 0]
    for (const [at, { code }] of moved.entries())
      await store.db
        .updateTable('links')
        .set({ domain_id: ids[places[at]!]!.id })
        .where('code', '=', code)
        .execute()
    const { codes, total } = await list({ archived: 'include' }, NEWEST_FIRST)
    expect(total).toBe(before.total + 2)
    const pages = [codes, (await list({ archived: 'include' }, NEWEST_FIRST, 2)).codes].flat()
    const added = [first!.code, second!.code]
    expect(moved.map(({ code }) => code).filter((code) => pages.includes(code))).toEqual(added)
    await store.db.updateTable('links').set({ domain_id: 0 }).execute()
    await store.db.deleteFrom('domains').where('id', '>', 0).execute()
  })

  test.each([['with blocked hosts'], ['without']])(
    'active links are counted as they are listed, %s',
    async (which) => {
      const isBlocking = which === 'with blocked hosts'
      const blocks = await store.db.selectFrom('blocked_hosts').selectAll().execute()
      if (!isBlocking) await store.db.deleteFrom('blocked_hosts').execute()
      const expected = LINKS.filter(
        ({ host, isActive, endsAtUs, limit: [max, opened] }) =>
          isActive &&
          !(isBlocking && host.includes('.blocked.')) &&
          (endsAtUs === null || endsAtUs > NOW_US) &&
          (max === null || opened < max),
      )
      const { activeLinks, totalLinks } = await overview(
        { db: store.readDb, clock },
        ownerOf(store.workspaceId),
      )
      expect([activeLinks, totalLinks]).toEqual([expected.length, LINKS.length])
      expect(
        await list({ archived: 'include', needs_attention: undefined, status: ['active'] }),
      ).toMatchObject({
        total: activeLinks,
      })
      if (!isBlocking) await store.db.insertInto('blocked_hosts').values(blocks).execute()
    },
  )

  test('combine with a status', async () => {
    const blocked = wanted.filter(({ host, isArchived }) => host.includes('.blocked.') && !isArchived)
    const others = wanted.filter(({ host, isArchived }) => !host.includes('.blocked.') && !isArchived)
    expect(await list({ status: ['blocked'] })).toMatchObject({ total: blocked.length })
    expect(await list({ status: ['active', 'limit_reached'] })).toMatchObject({ total: others.length })
    expect(await list({ status: ['disabled', 'expired'] })).toEqual({ codes: [], total: 0 })
  })
})
