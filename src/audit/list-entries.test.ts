import { describe, expect, test } from 'bun:test'
import { type Caller, COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { DAY_US } from '../runtime/clock.ts'
import { writeRows } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import type { AuditFilters } from './audit-filters.ts'
import { forgetOldEntries } from './forget-old-entries.ts'
import { everyEntry, listEntries, LOOKED_AT_MAX } from './list-entries.ts'
import { AUDIT_LOG, auditRow, type Change } from './record-change.ts'

const KEYED = { ...ownerOf(1), keyId: 9, actor: 'Shop', client: 'API' }

describe('the audit log', () => {
  const store = useTestStore()

  test('a page has the newest entries of the workspace, and every filter narrows it', async () => {
    const title = { title: { from: 'Über "uns"', to: 'About' } }
    await write([{}, { action: 'link.deleted', target: 'sale' }, { changes: title }])
    await write([{ nowUs: 4 }, { nowUs: 5, action: 'tag.created', target: 'Winter' }], KEYED)
    await write([{ nowUs: 6 }], ownerOf(2))
    await write([{ nowUs: 7 }], operatorIn(1, COMMAND_LINE))
    expect(await times()).toEqual([7, 5, 4, 3, 2, 1])
    const second = await list({}, { page: 2, perPage: 4 })
    expect(second).toMatchObject({
      total: 6,
      isComplete: true,
      entries: [{ happenedAtUs: 2 }, { happenedAtUs: 1 }],
    })
    expect(await times({ user: [1] })).toEqual([3, 2, 1])
    expect(await times({ key: [8, 9] })).toEqual([5, 4])
    expect(await times({ action: ['link.deleted', 'tag.created'] })).toEqual([5, 2])
    expect(await times({ target: 'sale' })).toEqual([2])
    expect(await times({ from: 2, to: 4 })).toEqual([3, 2])
    expect(await times({ client: ['api'] })).toEqual([5, 4])
    expect(await times({ client: ['command_line', 'dashboard'] })).toEqual([7, 3, 2, 1])
    expect(await times({ client: ['dashboard'], action: ['link.updated'] })).toEqual([3, 1])
    for (const search of ['shop', 'SHOP', 'hop w'])
      expect(await times({ search })).toEqual(search === 'hop w' ? [5] : [5, 4])
    expect(await times({ search: 'Über' })).toEqual([3])
    expect(await times({ search: '%' })).toEqual([])
    expect((await list({ target: 'sale' })).total).toBe(1)
  })

  test('entries of one moment stand in the order in which they were written', async () => {
    await write([{ target: 'a' }, { target: 'b' }, { target: 'c' }].map((each) => ({ ...each, nowUs: 5 })))
    expect((await list()).entries.map(({ target }) => target)).toEqual(['c', 'b', 'a'])
  })

  test('an export has every entry once, also those of one moment', async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => ({
      nowUs: Math.floor(n / 2_500),
      target: `code ${n}`,
    }))
    await write(many)
    await write([{}], ownerOf(2))
    const found: string[] = []
    for await (const entries of everyEntry({ db: store.readDb }, ownerOf(1), { search: '' }))
      found.push(...entries.map(({ target }) => target))
    expect(found).toEqual(many.map(({ target }) => target).toReversed())
    const filters = { search: 'code 7', from: 0, to: 1 }
    const some = await Array.fromAsync(everyEntry({ db: store.readDb }, ownerOf(1), filters))
    expect(some.flat().map(({ target }) => target)).toEqual(
      many
        .slice(0, 2_500)
        .map(({ target }) => target)
        .filter((target) => target.startsWith('code 7'))
        .toReversed(),
    )
  })

  test('a list says when there are older entries than it has looked at', async () => {
    const many = Array.from({ length: LOOKED_AT_MAX }, () => ({}))
    await write([{ nowUs: 0, target: 'oldest' }, ...many])
    expect(await list({ target: 'oldest' })).toEqual({ entries: [], total: 0, isComplete: false })
    expect(await list({ target: 'oldest', to: 100 })).toMatchObject({ total: 1, isComplete: true })
    expect((await list()).isComplete).toBe(false)
  })

  test('entries are removed after AUDIT_DAYS, and no others', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({ nowUs: n < 1_100 ? n : 10 * DAY_US }))
    await write(many)
    await forgetOldEntries(store.relaxedDb, { nowUs: 9 * DAY_US + 1_099, keepDays: 9 })
    expect((await list()).total).toBe(100)
    await forgetOldEntries(store.relaxedDb, { nowUs: 19 * DAY_US - 1, keepDays: 9 })
    expect((await list()).total).toBe(100)
    await forgetOldEntries(store.relaxedDb, { nowUs: 19 * DAY_US, keepDays: 9 })
    expect((await list()).total).toBe(0)
  })

  /** Entries with the times 1, 2, 3 and so on, or as they say. */
  async function write(changes: Partial<Change>[], caller: Caller = ownerOf(1)): Promise<void> {
    const rows = changes.map((change, index) => auditRow(caller, { ...CHANGE, nowUs: index + 1, ...change }))
    await transact(store.db, (tx) => writeRows(tx, AUDIT_LOG, rows))
  }

  const list = (filters: Partial<AuditFilters> = {}, { page = 1, perPage = 10 } = {}) =>
    listEntries({ db: store.readDb }, ownerOf(1), { page, perPage, filters: { search: '', ...filters } })

  const times = async (filters: Partial<AuditFilters> = {}) =>
    (await list(filters)).entries.map(({ happenedAtUs }) => happenedAtUs)
})

const CHANGE: Change = { nowUs: 0, action: 'link.updated', target: 'launch' }
