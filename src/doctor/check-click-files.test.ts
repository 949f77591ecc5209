import { expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addClickFile } from '../../test/rigs/clicks/click-file.ts'
import { aFact, insertFacts } from '../../test/rigs/clicks/fact-rows.ts'
import { usePerTest } from '../../test/rigs/use-rig.ts'
import { clicksFolder, openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { checkClickFiles } from './check-click-files.ts'

const folder = usePerTest(
  async (dataDir) => ({ dataDir, store: await openSqliteStore(dataDir, 'same-thread') }),
  ({ store }) => store.close(),
)

const UNSUPPORTED = ['sh', '-c', 'exit 69']
const BROKEN = ['sh', '-c', 'exit 1']

test('files that are as they were written are fine, and so is a store without files, whose engine is not started', async () => {
  const { dataDir, store } = folder
  expect(await check(BROKEN)).toEqual([
    'ok: 0 files with 0 rows of clicks are intact; 0 rows are in the database.',
  ])
  for (const bytes of [1, 3_000_000]) addClickFile(dataDir, { bytes })
  await insertFacts(store.relaxedDb, [aFact()])
  expect(await check()).toEqual([
    'ok: 2 files with 14 rows of clicks are intact; 1 rows are in the database.',
  ])
})

test('a file that is missing or damaged is a fault, with its days and rows', async () => {
  const { dataDir } = folder
  const [missing, damaged] = [addClickFile(dataDir), addClickFile(dataDir, { bytes: 2_000_000, days: 30 })]
  addClickFile(dataDir)
  rmSync(pathOf(missing))
  const bytes = readFileSync(pathOf(damaged))
  bytes[1_999_999]! ^= 1
  writeFileSync(pathOf(damaged), bytes)
  const then = `reports lack these clicks. Put the file of a backup into ${clicksFolder(dataDir)}.`
  expect(await check()).toEqual([
    `fault: ${missing} (7 rows of clicks, of 2026-04-20) is missing: ${then}`,
    `fault: ${damaged} (7 rows of clicks, from 2026-04-20 to 2026-05-19) is damaged: ${then}`,
  ])
})

test('of many missing files a few are named', async () => {
  for (let i = 0; i < 8; i++) rmSync(pathOf(addClickFile(folder.dataDir)))
  const findings = await check()
  expect(findings).toHaveLength(6)
  expect(findings.at(-1)).toBe('fault: 3 more click files with 21 rows of clicks are damaged or missing.')
})

test('where DuckDB does not run, files are a fault and many clicks in the database are a warning', async () => {
  const { dataDir, store } = folder
  await insertFacts(store.relaxedDb, [aFact()])
  expect(await check(UNSUPPORTED)).toEqual([expect.stringMatching(/^ok: /)])
  await insertFacts(
    store.relaxedDb,
    Array.from({ length: 100_000 }, () => aFact()),
  )
  expect(await check(UNSUPPORTED)).toEqual([
    'warning: DuckDB does not run on this platform: all 100001 rows of clicks stay in the database, and reports get slower with each.',
  ])
  addClickFile(dataDir)
  expect(await check(UNSUPPORTED)).toEqual([
    'fault: DuckDB does not run on this platform: reports of clicks in files cannot be answered.',
  ])
  expect(await check(BROKEN)).toEqual([
    'fault: The click engine (DuckDB) does not start: reports of clicks in files cannot be answered.',
  ])
})

const pathOf = (name: string) => join(clicksFolder(folder.dataDir), name)

async function check(command?: string[]): Promise<string[]> {
  const findings = await checkClickFiles(folder.store.db, folder.dataDir, command)
  return findings.map(({ severity, message }) => `${severity}: ${message}`)
}
