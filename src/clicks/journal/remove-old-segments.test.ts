import { transact } from '../../store/transact.ts'
import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countAll } from '../../../test/rigs/clicks/ingest-rig.ts'
import { readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { testOnSqlite } from '../../../test/rigs/store/test-store.ts'
import { DAY_US, HOUR_US } from '../../runtime/clock.ts'
import { type Files, realFiles } from './files.ts'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'

const rig = useReaderRig()

describe('the retention', () => {
  test('moves what was counted to the trash, removes it a day later, and leaves the last segment', async () => {
    await rig.journaled(upTo(6), { segmentBytesMax: 350 })
    const names = readSegments(rig.folder).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(2)
    const reader = rig.readerOf({ retentionUs: 2 * HOUR_US })
    await reader.findSegments()
    await reader.removeOld()
    await countAll(reader)
    rig.clock.advance(2 * HOUR_US - 1)
    await reader.removeOld()
    expect(readSegments(rig.folder)).toHaveLength(names.length)
    rig.clock.advance(1)
    await reader.removeOld()
    expect(readSegments(rig.folder).map(({ name }) => name)).toEqual(names.slice(-1))
    const inTrash = names.slice(0, -1).map((name) => `${rig.clock.nowUs()}-${name}`)
    expect(readdirSync(join(rig.folder, 'trash')).sort()).toEqual(inTrash)
    rig.clock.advance(DAY_US)
    await reader.removeOld()
    expect(readdirSync(join(rig.folder, 'trash'))).toEqual([])
    expect(readSegments(rig.folder)).toHaveLength(1)
  })

  testOnSqlite('removes nothing before the disk has what was counted', async () => {
    await rig.journaled(upTo(6), { segmentBytesMax: 350 })
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    const log = `${storePath(rig.dataDir)}-wal`
    const bytesBefore = statSync(log).size
    await reader.removeOld()
    expect(readSegments(rig.folder)).toHaveLength(1)
    // A commit that changes nothing writes nothing, and does not wait for the disk either.
    expect(statSync(log).size).toBeGreaterThan(bytesBefore)
  })

  test('takes nothing for counted whose commit fails after all', async () => {
    await rig.journaled(upTo(6), { segmentBytesMax: 350 })
    const count = readSegments(rig.folder).length
    const { relaxedDb } = rig.store
    const reference = 'REFERENCES workspaces (id) DEFERRABLE INITIALLY DEFERRED'
    await sql`CREATE TABLE refused_at_commit (id INTEGER ${sql.raw(reference)})`.execute(relaxedDb)
    let counted: Promise<void> | undefined
    const files: Files = {
      ...realFiles,
      // The segments are finished in a transaction that is not committed yet when they are looked up.
      async makeFolder(path) {
        await realFiles.makeFolder(path)
        counted = transact(relaxedDb, async (tx) => {
          await tx.updateTable('journal_segments').set({ finished_at: 1 }).execute()
          await sql`INSERT INTO refused_at_commit VALUES (404)`.execute(tx)
        })
        counted.catch(() => {})
        for (let step = 0; step < 100; step++) await Promise.resolve()
      },
    }
    const reader = rig.readerOf({ files })
    await reader.findSegments()
    await reader.removeOld()
    await expect(counted!).rejects.toThrow(/foreign key/i)
    expect(readSegments(rig.folder)).toHaveLength(count)
  })

  test('leaves what has not been counted, however old', async () => {
    await rig.journaled(upTo(6), { segmentBytesMax: 350 })
    const count = readSegments(rig.folder).length
    const reader = rig.readerOf()
    await reader.findSegments()
    rig.clock.advance(100 * DAY_US)
    await reader.removeOld()
    expect(readSegments(rig.folder)).toHaveLength(count)
  })

  test('leaves the last readable segment also when an unreadable one has a later name', async () => {
    const { name } = await rig.journaled([1])
    writeFileSync(join(rig.folder, 'ffffffff-ffff-7fff-bfff-ffffffffffff.journal'), 'torn')
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    rig.clock.advance(DAY_US)
    await reader.removeOld()
    expect(existsSync(join(rig.folder, name))).toBe(true)
  })
})
