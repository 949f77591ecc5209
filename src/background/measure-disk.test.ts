import { expect, test } from 'bun:test'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import { openSqliteStore, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { measureDisk } from './measure-disk.ts'

const folders = useFolders()

test('segments, the database with its log, files of clicks, and the room on the disk are measured; other files are not', async () => {
  const dataDir = folders.make()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const folder = journalFolder(dataDir)
  mkdirSync(join(folder, 'trash'), { recursive: true })
  for (const [name, bytes] of [
    ['a.journal', 1_000],
    ['b.journal', 24],
    ['folder-id', 9],
  ] as const)
    writeFileSync(join(folder, name), Buffer.alloc(bytes))
  writeFileSync(join(folder, 'trash', 'c.journal'), Buffer.alloc(5_000))
  const clicks = clicksFolder(dataDir)
  mkdirSync(clicks)
  const file = '2026-04-20-0193b1c0-0000-7000-8000-000000000001'
  for (const name of [`${file}.parquet`, `${file}.parquet.next`])
    writeFileSync(join(clicks, name), Buffer.alloc(70))
  const metrics = openMetrics(newSharedMetrics())
  await measureDisk(dataDir, metrics)
  expect([metrics.journalBytes.value, metrics.journalSegments.value]).toEqual([1_024, 2])
  expect(metrics.clickFileBytes.value).toBe(70)
  const storeBytes = ['', '-wal'].map((suffix) => statSync(storePath(dataDir) + suffix).size)
  expect(metrics.storeBytes.value).toBe(storeBytes[0]! + storeBytes[1]!)
  expect(metrics.diskFreeBytes.value).toBeGreaterThan(0)
  expect(metrics.diskSizeBytes.value).toBeGreaterThan(metrics.diskFreeBytes.value)
  await store.close()
})

test('a folder without a write-ahead log is measured too', async () => {
  const dataDir = folders.make()
  mkdirSync(journalFolder(dataDir))
  writeFileSync(storePath(dataDir), 'database')
  const metrics = openMetrics(newSharedMetrics())
  await measureDisk(dataDir, metrics)
  expect(metrics.storeBytes.value).toBe(8)
})
