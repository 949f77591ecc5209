import { Database } from 'bun:sqlite'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_US } from '../../../src/runtime/clock.ts'
import { clicksFolder, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'

const FROM_US = Date.UTC(2026, 3, 20) * 1000

/** A click file that counts. Its bytes are random, as for what copies and compares files. Returns its name. */
export function addClickFile(dataDir: string, { bytes = 100, days = 1 } = {}): string {
  const name = `2026-04-20-${Bun.randomUUIDv7()}.parquet`
  const content = randomBytes(bytes)
  mkdirSync(clicksFolder(dataDir), { recursive: true })
  writeFileSync(join(clicksFolder(dataDir), name), content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  using database = new Database(storePath(dataDir))
  database
    .query('INSERT INTO click_files (name, from_us, to_us, rows, sha256) VALUES (?, ?, ?, 7, ?)')
    .run(name, FROM_US, FROM_US + days * DAY_US, sha256)
  return name
}
