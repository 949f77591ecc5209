import { expect, test } from 'bun:test'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { listNotFound } from './list-not-found.ts'
import { CODES_OF_DAY_MAX, DAYS_KEPT, forgetNotFound, storeNotFound } from './store-not-found.ts'

const store = useTestStore()
const DAY = 20_000

test('visits of a code add up over its days, on each domain of a workspace', async () => {
  const [own, second, others] = [
    await addDomain('own.example'),
    await addDomain('second.example'),
    await addDomain('other.example', 8),
  ]
  await storeNotFound(store.relaxedDb, DAY, [
    missed(own, 'wintr', 2),
    missed(second, 'wintr', 1),
    missed(others, 'secret', 9),
  ])
  await storeNotFound(store.relaxedDb, DAY, [missed(own, 'wintr', 3), missed(own, 'once', 1)])
  await storeNotFound(store.relaxedDb, DAY + 1, [missed(own, 'wintr', 1)])
  expect(await list()).toEqual([
    { domainId: own, code: 'wintr', visits: 6, lastDay: DAY + 1 },
    { domainId: own, code: 'once', visits: 1, lastDay: DAY },
    { domainId: second, code: 'wintr', visits: 1, lastDay: DAY },
  ])
  expect((await list([second])).map(({ visits }) => visits)).toEqual([1])
  expect(await list([others])).toEqual([])
  expect(await list([])).toEqual([])
})

test('a code whose link was deleted is listed, and none of a domain that was removed', async () => {
  const domain = await addDomain('own.example')
  await storeNotFound(store.relaxedDb, DAY, [missed(domain, 'gone', 2)])
  const deleted = { code: 'gone', domain_id: domain, workspace_id: null }
  await store.db.insertInto('codes').values(deleted).execute()
  expect((await list()).map(({ code }) => code)).toEqual(['gone'])
  await store.db.updateTable('domains').set({ removed_at: 1 }).where('id', '=', domain).execute()
  expect(await list()).toEqual([])
})

test('a day of a domain has a bounded number of codes, whatever is invented, and those go on counting', async () => {
  const domain = await addDomain('own.example')
  const invented = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => missed(domain, `code-${from + at}`, 1))
  await storeNotFound(store.relaxedDb, DAY, invented(0, CODES_OF_DAY_MAX - 1))
  await storeNotFound(store.relaxedDb, DAY, [missed(domain, 'code-0', 5), ...invented(5_000, 10)])
  await storeNotFound(store.relaxedDb, DAY, invented(6_000, 10))
  const { codes } = await store.db
    .selectFrom('not_found_codes')
    .select(({ fn }) => fn.countAll<number>().as('codes'))
    .executeTakeFirstOrThrow()
  expect(Number(codes)).toBe(CODES_OF_DAY_MAX)
  expect((await list())[0]).toMatchObject({ code: 'code-0', visits: 6 })
})

test('after a month it is forgotten', async () => {
  const domain = await addDomain('own.example')
  for (const day of [DAY, DAY + 1])
    await storeNotFound(store.relaxedDb, day, [missed(domain, `of-${day}`, 1)])
  await forgetNotFound(store.relaxedDb, DAY + DAYS_KEPT)
  expect((await list()).map(({ code }) => code)).toEqual([`of-${DAY + 1}`])
})

const missed = (domainId: number, code: string, visits: number) => ({ domainId, code, visits })
const list = (domainIds?: number[]) => listNotFound(store.reportDb, { workspaceId: 7, domainIds, limit: 10 })

async function addDomain(host: string, workspaceId = 7): Promise<number> {
  const row = { host, name: host, workspace_id: workspaceId, verified_at: 1 }
  return (await store.db.insertInto('domains').values(row).returning('id').executeTakeFirstOrThrow()).id
}
