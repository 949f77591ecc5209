import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../../src/doctor/finding.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import { claimRecord } from '../../../src/codes/log/code-log-record.ts'
import { journalFolder } from '../../../src/clicks/journal/open-journal.ts'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { type MailServer, startMailServer } from '../../rigs/outside/mail-server.ts'
import { runTern, type Settings } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { lacks } from '../driver/lacks.ts'
import { startVisits } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'
import { MIGRATIONS } from '../../../src/store/migrations/migrations.ts'

const tern = new Tern()
const folders = temporaryFolders()
let dataDir: string

let mails: MailServer
beforeAll(runThreeTimes)
afterAll(stopServers)

afterEach(folders.remove)

/** A copy of the folder to be spoiled. */
beforeEach(copyFolder)

describe('the doctor', () => {
  test('finds nothing in a healthy folder, and changes nothing', async () => {
    const listing = () =>
      readdirSync(dataDir)
        .filter((name) => !name.startsWith('tern.db-'))
        .map((name) => [name, statSync(join(dataDir, name)).mtimeMs])
    const before = listing()
    const { faults, warnings, findings } = await doctor()
    expect([faults, warnings]).toEqual([[], []])
    expect(listing()).toEqual(before)
    expect([...new Set(findings.map(({ check }) => check))]).toEqual([
      'address',
      'proxies',
      'country data',
      'disk',
      'database',
      'schema',
      'clock',
      'visitors',
      'users',
      'click files',
      'journal',
      'codes',
    ])
    const all = clicksOfRuns.reduce((sum, clicks) => sum + clicks, 0)
    expect(findings.find(({ check }) => check === 'journal')!.says).toBe(
      `${all} clicks journaled: ${all} counted, 0 waiting, 0 dead letters, 0 missing.`,
    )
  })

  test('warns when there is no operator, a deleted account remains, or emails cannot be delivered', async () => {
    changeDatabase(`UPDATE users SET role = 'user'`)
    changeDatabase(`INSERT INTO users (name, email, password_hash, created_at, closed_at)
      VALUES ('', 'closed 7', '', 1, 1)`)
    const { SMTP_URL: _, ...withoutMail } = PUBLIC
    const { faults, warnings } = await doctor(withoutMail)
    expect(faults).toEqual([])
    expect(warnings).toEqual([
      'users: No account is an operator. Make one with tern account role <email> admin.',
      'users: 1 deleted accounts are not removed yet. Start the server and check its log.',
      'users: SMTP_URL is not set: emails are stored in the outbox, and anyone who can read it can sign in as any user.',
    ])
  })

  test('finds a deleted segment, with the exact number of its clicks', async () => {
    rmSync(segments()[1]!)
    // As after a restore: its clicks are not in the counters.
    changeDatabase(`DELETE FROM journal_segments WHERE base_count = ${clicksOfRuns[0]}`)
    const { faults } = await doctor()
    expect(faults).toEqual([
      expect.stringContaining(`journal: ${clicksOfRuns[1]} clicks are missing: ${clicksOfRuns[1]} of `),
    ])
  })

  test('does not miss a segment that was counted', async () => {
    rmSync(segments()[1]!)
    expect((await doctor()).faults).toEqual([])
  })

  test('finds uncounted clicks in the trash', async () => {
    changeDatabase(FORGET)
    mkdirSync(join(journalFolder(dataDir), 'trash'), { recursive: true })
    const [first] = segments()
    renameSync(first!, first!.replace('/journal/', '/journal/trash/1-'))
    expect((await doctor()).faults).toEqual([
      expect.stringContaining(`${clicksOfRuns[0]} uncounted clicks are in journal/trash`),
    ])
  })

  test('finds a segment that is shorter than what was counted, one that is invalid, and one that is missing', async () => {
    changeDatabase(NOT_FINISHED)
    truncateSync(segments().at(-1)!, 300)
    writeFileSync(join(journalFolder(dataDir), 'odd.journal'), 'x'.repeat(300))
    expect((await doctor()).faults).toEqual([
      expect.stringContaining('is shorter than what was counted from it'),
      expect.stringContaining('odd.journal cannot be read as a journal segment'),
    ])
    rmSync(join(journalFolder(dataDir), 'odd.journal'))
    rmSync(segments().at(-1)!)
    expect((await doctor()).faults).toEqual([
      expect.stringContaining('disappeared before all its clicks were counted'),
    ])
  })

  test('finds a flipped bit in the database', async () => {
    const bytes = readFileSync(storePath(dataDir))
    const database = new Database(storePath(dataDir))
    const page = database.query(`SELECT rootpage FROM sqlite_schema WHERE name = 'codes_of_link'`)
    const [[root]] = page.values() as [[number]]
    database.close()
    // In a code as its index has it: the table says otherwise then.
    bytes[bytes.indexOf('second', (root - 1) * 4096)]! ^= 1
    writeFileSync(storePath(dataDir), bytes)
    const { faults } = await doctor()
    expect(faults.length).toBeGreaterThan(0)
    expect(faults[0]).toStartWith('database: The database is damaged: ')
  })

  test('reports what it cannot read, and continues with the rest', async () => {
    const file = openSync(storePath(dataDir), 'r+')
    writeSync(file, Buffer.alloc(4096), 0, 4096, 0)
    const { faults, findings } = await doctor()
    expect(faults[0]).toStartWith('database: ')
    expect(findings.map(({ check }) => check)).toContain('disk')
  })

  test('finds a wrong proxy setting, and a base URL that only this machine can reach', async () => {
    expect((await doctor({ BASE_URL: 'https://s.example.com' })).faults).toEqual([
      expect.stringContaining('TRUSTED_PROXIES is empty'),
    ])
    expect((await doctor({ ...PUBLIC, TRUSTED_PROXIES: '0.0.0.0/0' })).faults).toEqual([
      expect.stringContaining('TRUSTED_PROXIES has 0.0.0.0/0'),
    ])
    const { faults, warnings } = await doctor({})
    expect([faults, warnings]).toEqual([
      [],
      [expect.stringContaining('work on this machine or network only')],
    ])
  })

  test.skipIf(lacks('what tern doctor says of a read-only disk', 'small disks'))(
    'finds a read-only file system',
    async () => {
      const disk = mountSmallDisk(2048)!
      try {
        cpSync(tern.dataDir, join(disk.folder, 'data'), { recursive: true })
        Bun.spawnSync(['mount', '-o', 'remount,ro', disk.folder])
        const { faults } = await doctor(PUBLIC, join(disk.folder, 'data'))
        expect(faults[0]).toStartWith('disk: The file system of the data folder is read-only')
        expect(faults.join()).not.toContain('Restore a backup')
      } finally {
        disk.unmount()
      }
    },
  )

  test('finds a code log that is missing, damaged, or has codes that the database lost', async () => {
    appendFileSync(
      codeLogPath(dataDir),
      claimRecord({ domainId: 0, code: 'lost', workspaceId: 1, linkId: 99 }),
    )
    const inLog = `codes: 1 acknowledged links are lost, and their codes are not blocked yet: lost. Restore a newer backup, or start the server to block the codes.`
    expect((await doctor()).faults).toEqual([inLog])
    changeDatabase(`INSERT INTO codes (code, domain_id, lost_at) VALUES ('lost', 0, 1)`)
    expect(await doctor()).toMatchObject({
      faults: [],
      warnings: [
        'codes: 1 acknowledged links are lost because the database went back in time. Their codes are blocked: lost.',
      ],
    })
    changeDatabase(`DELETE FROM codes WHERE code = 'lost'`)
    appendFileSync(codeLogPath(dataDir), 'odd\n')
    expect((await doctor()).warnings).toContainEqual(
      expect.stringContaining('1 lines of the code log cannot be read'),
    )
    rmSync(codeLogPath(dataDir))
    expect((await doctor()).warnings).toEqual([expect.stringContaining('There is no code log')])
  })

  test('finds a database of a newer version, an early one, and one from before an upgrade', async () => {
    changeDatabase('DELETE FROM kysely_migration')
    expect((await doctor()).warnings).toEqual([
      expect.stringContaining(`(${Object.keys(MIGRATIONS).join(', ')})`),
    ])
    changeDatabase(`INSERT INTO kysely_migration VALUES ('9999-later', '')`)
    expect((await doctor()).faults).toEqual([expect.stringContaining('a newer Tern (it has 9999-later)')])
    changeDatabase(`INSERT INTO kysely_migration VALUES ('0001-foundation', '')`)
    expect((await doctor()).faults).toEqual([expect.stringContaining('an early Tern')])
  })

  test('says that a restore was interrupted, where the store was moved to, and that a folder does not exist yet', async () => {
    writeFileSync(join(dataDir, 'restore.unfinished'), 'replaced/then\n')
    expect((await doctor()).faults).toEqual([expect.stringContaining('Run tern restore again')])
    rmSync(join(dataDir, 'restore.unfinished'))
    changeDatabase(
      `UPDATE store_identity SET moved_to = 'x', moved_place = 'postgres://db/tern', moved_at = 0`,
    )
    expect((await doctor()).faults).toEqual([
      expect.stringContaining('database: This store was moved to postgres://db/tern'),
    ])
    dataDir = join(dataDir, 'not', 'there')
    expect((await doctor()).warnings).toEqual([expect.stringContaining('does not exist yet')])
  })
})

test('tern restore creates no folder when there is no backup', async () => {
  const folder = join(folders.make(), 'new')
  const ended = await runTern(['restore', join(folder, 'nothing')], { DATA_DIR: folder })
  expect(ended).toMatchObject({
    exitCode: 1,
    complaints: `The file ${join(folder, 'nothing')} does not exist.\n`,
  })
  expect(existsSync(folder)).toBe(false)
})

describe('tern recount --check', () => {
  const recount = (...words: string[]) => runTern(['recount', ...words], { DATA_DIR: dataDir })

  test('finds a counter that was changed by hand, with both numbers', async () => {
    expect(await recount('--check')).toMatchObject({ exitCode: 0, complaints: '' })
    changeDatabase('UPDATE link_totals SET clicks = 123456 WHERE link_id = 1')
    const { exitCode, output, complaints } = await recount('--check')
    expect([exitCode, complaints]).toEqual([1, expect.stringMatching(/^\d+ of 16 claims do not hold\.\n$/)])
    expect(output).toMatch(
      /differs {2}the totals of a link .*\n +link 1: 123456 clicks, .* \(by the others: \d+ clicks,/,
    )
    const asJson = await recount('--check', '--json')
    expect(asJson.exitCode).toBe(1)
    expect(JSON.parse(asJson.output).broken[0].broken[0].stored).toStartWith('123456 clicks')
  })

  test('does not repair', async () => {
    expect(await recount()).toMatchObject({ exitCode: 1, output: '' })
  })
})

async function runThreeTimes(): Promise<void> {
  mails = await startMailServer()
  PUBLIC.SMTP_URL = mails.url
  await tern.prepare()
  for (const run of [1, 2, 3]) {
    await tern.startAll()
    const load = await startVisits(tern, { codes: CODES })
    await load.continues(100 * run)
    // While a server runs, nothing is wrong and nothing is blocked.
    if (run === 2) expect((await doctor(PUBLIC, tern.dataDir)).faults).toEqual([])
    clicksOfRuns.push((await load.stop()).redirects)
    await tern.stopAll()
  }
}

async function stopServers(): Promise<void> {
  await mails.stop()
  await tern[Symbol.asyncDispose]()
}

function copyFolder(): void {
  dataDir = join(folders.make(), 'data')
  cpSync(tern.dataDir, dataDir, { recursive: true })
  // The test's visitors come from this machine, which has no country.
  changeDatabase(`UPDATE workspace_hours SET value = 'DE' WHERE dimension = 'country'`)
}

const CODES = ['first', 'second']

/** Clicks of each of the three runs that the folder has seen. */
const clicksOfRuns: number[] = []

const [FORGET, NOT_FINISHED] = [
  `DELETE FROM journal_segments WHERE base_count = 0`,
  `UPDATE journal_segments SET finished_at = NULL WHERE finished_at = (SELECT max(finished_at) FROM journal_segments)`,
]

const PUBLIC = {
  BASE_URL: 'https://s.example.com',
  TRUSTED_PROXIES: 'loopback',
  SMTP_URL: '',
  MAIL_FROM: 'links@s.example.com',
}

async function doctor(settings: Settings = PUBLIC, folder = dataDir) {
  const run = (...words: string[]) => runTern(['doctor', ...words], { DATA_DIR: folder, ...settings })
  const [{ exitCode, output }, text] = await Promise.all([run('--json'), run()])
  const { findings, faults: count } = JSON.parse(output) as {
    findings: { check: string; verdict: string; says: string }[]
    faults: number
  }
  const of = (verdict: Finding['severity']) =>
    findings.filter((each) => each.verdict === verdict).map(({ check, says }) => `${check}: ${says}`)
  const [faults, warnings] = [of('fault'), of('warning')]
  expect([exitCode, count]).toEqual([faults.length > 0 ? 1 : 0, faults.length])
  expect(text.exitCode).toBe(exitCode)
  expect(text.output.trim().split('\n')).toHaveLength(findings.length)
  return { faults, warnings, findings }
}

const segments = () =>
  readdirSync(journalFolder(dataDir))
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .map((name) => join(journalFolder(dataDir), name))

function changeDatabase(sql: string): void {
  const database = new Database(storePath(dataDir))
  database.run(sql)
  database.close()
}
