import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/service/creation.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { newLinkTo } from '../../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { useSharedOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { manualClock } from '../../runtime/clock.ts'
import { indexNewLinks } from '../../store/engine-sql.ts'
import { transact } from '../../store/transact.ts'
import { countLinks } from './count-links.ts'
import { bestMatches } from './best-matches.ts'

describe('finding links', () => {
  const store = useSharedOwnedStore()

  beforeAll(makeLinks)

  test('a few links are all looked at', () => expectFound(false))

  test('the newest links of tags whose names have all the words come after what matches, and are not in the total', async () => {
    expect(await find('YEAR')).toEqual({ codes: ['summer', 'abc-1', 'sale'], total: 0, isMore: false })
    expect((await find(' yearly Sal ')).codes).toEqual(['abc-1', 'sale'])
    expect((await find('abc')).codes).toEqual(['abc', 'abc-1'])
    expect((await find('abcs')).codes).toEqual(['abc-1'])
    expect((await find('sale early')).codes).toEqual(['abc-1', 'sale'])
    expect((await find('sale monthly')).codes).toEqual([])
    expect((await find(' ')).codes).toHaveLength(4)
  })

  test('of many links, short words are looked for among the newest, and the answer says so', async () => {
    await transact(store.relaxedDb, (tx) =>
      countLinks(tx, store.workspaceId, { links: 1_000_000, active: 1_000_000, archived: 0 }),
    )
    await expectFound(true)
  })

  async function makeLinks(): Promise<void> {
    const deps = {
      db: store.db,
      clock: manualClock(START_US),
      ...UNHEARD,
    }
    for (const code of CODES)
      await createUnasked(deps, ownerOf(store.workspaceId), [
        newLinkTo(`https://example.com/${code}`, {
          custom_code: code,
          archived: code === 'summer-4',
          tags: TAGS[code] ?? [],
        }),
      ])
    while (await indexNewLinks(store.relaxedDb));
  }

  const find = async (search: string) => {
    const deps = { db: store.readDb, clock: manualClock(START_US), domains: noOtherDomains() }
    const { links, ...rest } = await bestMatches(deps, ownerOf(store.workspaceId), search)
    return { codes: links.map(({ code }) => code), ...rest }
  }

  const expectFound = async (isMore: boolean) => {
    expect(await find('summer')).toEqual({
      codes: ['summer', 'summer-3', 'summer-2', 'summer-1'],
      total: 5,
      isMore: false,
    })
    expect(await find('example.com SUMMER')).toEqual({
      codes: ['summer-3', 'summer-2', 'summer-1', 'summer'],
      total: 5,
      isMore: false,
    })
    expect(await find('ab')).toEqual({ codes: ['abc-1', 'abc'], total: 2, isMore })
    expect((await find('abc')).codes).toEqual(['abc', 'abc-1'])
    expect(await find('le')).toMatchObject({ codes: CODES.toReversed().slice(1, 5), total: 8, isMore })
  }
})

const START_US = 1_795_262_400_000_000

/** By code. */
const TAGS: Record<string, string[]> = {
  sale: ['Yearly sale'],
  'abc-1': ['Yearly sale', 'ABCs'],
  summer: ['Year 2026'],
}

const CODES = ['sale', 'abc', 'abc-1', 'summer', 'summer-1', 'summer-2', 'summer-3', 'summer-4']
