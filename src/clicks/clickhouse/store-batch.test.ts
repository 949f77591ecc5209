import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ClickHouseProxy } from '../../../test/rigs/clicks/clickhouse-proxy.ts'
import { useClickHouse } from '../../../test/rigs/clicks/clickhouse-rig.ts'
import { lacksClickHouse } from '../../../test/rigs/clicks/clickhouse-server.ts'
import { aFact } from '../../../test/rigs/clicks/fact-rows.ts'
import { ClickHouse } from './clickhouse.ts'
import { deleteClicks, storeBatch } from './store-batch.ts'

describe.skipIf(lacksClickHouse)('a batch of clicks', () => {
  const used = useClickHouse()
  let proxy: ClickHouseProxy
  let throughProxy: ClickHouse

  beforeEach(openProxy)
  afterEach(() => proxy.stop())

  test.each(['before', 'after'] as const)(
    'whose connection is cut %s its insert is stored once in the end, and counts once in between',
    async (when) => {
      const { rig } = used
      await rig.add([{}, {}])
      const mover = rig.newMover(throughProxy)
      for (let time = 0; time < 3; time++) {
        proxy.cuts.push({ text: INSERT, when })
        await expect(rig.moveAll(mover)).rejects.toMatchObject(away)
        expect(await rig.total()).toBe(2)
      }
      await rig.moveAll(mover)
      expect([await rig.total(), await rig.storedRows()]).toEqual([2, 2])
    },
  )

  test.each([
    ['reading back', /^SELECT attempt/],
    ['a deletion', /^ALTER TABLE clicks DELETE/],
  ])('whose connection is cut at %s is stored once in the end', async (_, text) => {
    const { rig } = used
    await rig.add([{}, {}])
    const mover = rig.newMover(throughProxy)
    for (const when of ['before', 'late', 'after'] as const) {
      proxy.cuts.push({ text: INSERT, when: 'after' })
      await expect(rig.moveAll(mover)).rejects.toMatchObject(away)
      proxy.cuts.push({ text, when })
      await expect(rig.moveAll(mover)).rejects.toMatchObject(away)
      expect(await rig.total()).toBe(2)
    }
    await rig.moveAll(mover)
    await proxy.release()
    expect([await rig.total(), await rig.storedRows()]).toEqual([2, 2])
  })

  test('whose insert arrives when it is stored already is stored once', async () => {
    const { rig } = used
    await rig.add([{}, {}])
    proxy.cuts.push({ text: INSERT, when: 'late' })
    await expect(rig.moveAll(rig.newMover(throughProxy))).rejects.toMatchObject(away)
    await rig.add([{}])
    await rig.moveAll()
    await proxy.release()
    expect([await rig.total(), await rig.storedRows()]).toEqual([3, 3])
  })

  test('whose insert arrives late, and whose next attempt has lost its answer, is stored once', async () => {
    const { rig } = used
    await rig.add([{}, {}])
    const mover = rig.newMover(throughProxy)
    proxy.cuts.push({ text: INSERT, when: 'late' })
    await expect(rig.moveAll(mover)).rejects.toMatchObject(away)
    proxy.cuts.push({ text: INSERT, when: 'after' })
    await expect(rig.moveAll(mover)).rejects.toMatchObject(away)
    await proxy.release()
    await rig.moveAll(mover)
    expect([await rig.total(), await rig.storedRows()]).toEqual([2, 2])
  })

  test('that was stored by a process that died before it was counted is stored once', async () => {
    const { rig } = used
    await storeBatch(rig.clickHouse, batchOf(3))
    await rig.add([{}, {}])
    expect(await rig.total()).toBe(2)
    await rig.moveAll()
    expect([await rig.total(), await rig.storedRows()]).toEqual([2, 2])
  })

  test('whose token the server remembers without its rows is stored with the next one', async () => {
    const { rig } = used
    await storeBatch(rig.clickHouse, batchOf(2))
    await deleteClicks(rig.clickHouse, 'batch = 1')
    await rig.add([{}, {}])
    await rig.moveAll()
    expect([await rig.total(), await rig.storedRows()]).toEqual([2, 2])
  })

  test('that belongs to another caller by now is left as it is', async () => {
    const { rig } = used
    await storeBatch(rig.clickHouse, batchOf(3))
    const isStillOurs = () => Promise.reject(new Error('The connection is gone.'))
    const batch = { ...batchOf(2), isStillOurs }
    await expect(storeBatch(rig.clickHouse, batch)).rejects.toThrow('The connection is gone.')
    expect(await rig.storedRows()).toBe(3)
  })

  test('replaces batches that an older database does not know', async () => {
    const { rig } = used
    for (let count = 0; count < 3; count++) {
      await rig.add([{}])
      await rig.moveAll()
    }
    await rig.setBatch(1)
    expect([await rig.total(), await rig.storedRows()]).toEqual([1, 3])
    await rig.add([{}, {}])
    await rig.moveAll()
    expect([await rig.total(), await rig.storedRows()]).toEqual([3, 3])
  })

  async function openProxy(): Promise<void> {
    proxy = new ClickHouseProxy(used.server.url)
    throughProxy = new ClickHouse(proxy.urlOf(used.rig.url))
    // Makes the table.
    expect(await used.rig.total()).toBe(0)
  }
})

const INSERT = /^INSERT/
const away = { name: 'Error', code: 'away' }

const batchOf = (clicks: number) => ({
  number: 1,
  facts: Array.from({ length: clicks }, () => aFact() as Record<string, number | string>),
  isStillOurs: async () => {},
})
