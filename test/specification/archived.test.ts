import { beforeAll, describe, expect, test } from 'bun:test'
import { checkCounters } from '../../src/clicks/repair/check-counters.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, open, statusAndBody, useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig()
const caller = useCaller(rig)

const codes: string[] = []

beforeAll(async () => {
  for (const [index, title] of TITLES.entries()) {
    const fields = { title, is_active: isActive(index), archived: isArchived(index), notes: `Zebra ${title}` }
    codes.push((await makeLink(rig, caller, fields)).short_code)
  }
})

describe('archived links', () => {
  test('are left out of lists unless asked for, and the total is exact', async () => {
    expect(await list()).toEqual(listOf('g', 'f', 'd', 'c', 'a'))
    expect(await list('archived=exclude')).toEqual(listOf('g', 'f', 'd', 'c', 'a'))
    expect(await list('archived=only')).toEqual(listOf('e', 'b'))
    expect(await list('archived=include')).toEqual(listOf('g', 'f', 'e', 'd', 'c', 'b', 'a'))
    expect(await list('per_page=2&page=3')).toEqual({ titles: ['a'], total: 5 })
    expect(await list('per_page=1&page=2&archived=only')).toEqual({ titles: ['b'], total: 2 })
    const bad = await ask('GET', '/api/links?archived=yes')
    expect(statusAndBody(bad)).toEqual({
      status: 422,
      body: invalid({ archived: ['The archived must be one of exclude, only, include.'] }),
    })
  })

  test('are left out of searches as well, which look in notes', async () => {
    expect(await list('search=zebra')).toEqual(listOf('g', 'f', 'd', 'c', 'a'))
    expect(await list('search=zebra&archived=only')).toEqual(listOf('e', 'b'))
    expect(await list('search=zebra&archived=include&per_page=2&page=2')).toEqual({
      titles: ['e', 'd'],
      total: 7,
    })
    await ask('PUT', `/api/links/${codes[0]}`, { notes: 'Okapi' })
    expect([await list('search=okapi'), (await list('search=zebra')).total]).toEqual([listOf('a'), 4])
    await ask('PUT', `/api/links/${codes[0]}`, { notes: 'Zebra a' })
  })

  test('go on redirecting, and come and go with every change', async () => {
    expect((await open(rig, codes[4]!)).status).toBe(302)
    await ask('PUT', `/api/links/${codes[4]}`, { archived: false })
    expect([(await list()).total, (await list('archived=only')).total]).toEqual([6, 1])
    await ask('DELETE', `/api/links/${codes[1]}`)
    expect([(await list()).total, (await list('archived=only')).total]).toEqual([6, 0])
    await ask('POST', `/api/links/${codes[1]}/restore`)
    expect([(await list()).total, (await list('archived=only')).total]).toEqual([6, 1])
    await Promise.all(
      Array.from({ length: 10 }, () => ask('PUT', `/api/links/${codes[4]}`, { archived: true })),
    )
    expect([(await list()).total, (await list('archived=only')).total]).toEqual([5, 2])
    const broken = await checkCounters(rig.store.db)
    expect(broken.flatMap((claim) => claim.broken)).toEqual([])
  })
})

/** Oldest first: every third is archived, every second inactive. */
const TITLES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const

const ask = (method: string, path: string, body?: unknown) =>
  rig.call(method, path, { key: caller.key, body })
const list = async (query = '') => {
  const { body } = await ask('GET', `/api/links?${query}`)
  return { titles: body.data.map(({ title }: any) => title), total: body.meta.total }
}
const listOf = (...titles: string[]) => ({ titles, total: titles.length })
const isArchived = (index: number) => index % 3 === 1
const isActive = (index: number) => index % 2 === 0
