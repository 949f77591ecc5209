import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { claimRecord } from '../../../src/codes/log/code-log-record.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('what tern doctor says of nodes', 'apt-get install postgresql')
const folders = temporaryFolders()

type Finding = { check: string; verdict: string; says: string }

let postgres: PostgresServer
let database: string
let folder: OperatedFolder

describe.skipIf(isMissing)('the doctor, on PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const url = await postgres.makeDatabase()
    database = new URL(url).pathname.slice(1)
    folder = await operateFolder(folders.make(), { DATABASE_URL: url })
    await withServer(() => folder.makeLinks(['one', 'two']))
  })

  afterAll(async () => {
    await postgres.remove()
    folders.remove()
  })

  async function withServer(work: () => Promise<unknown>): Promise<void> {
    const server = await ServerProcess.start(folder.settings)
    await work()
    await server.stop()
  }

  async function findings(settings = folder.settings): Promise<Finding[]> {
    const { output } = await runTern(['doctor', '--json'], settings)
    return JSON.parse(output).findings
  }

  const of = (found: Finding[], check: string) =>
    found.filter((each) => each.check === check).map(({ verdict, says }) => [verdict, says])

  test('checks server, tables, journal and codes, and recount checks the counters', async () => {
    const found = await findings()
    expect(of(found, 'schema')).toEqual([['ok', 'The tables match this version.']])
    expect(of(found, 'journal')).toEqual([
      ['ok', '0 clicks journaled: 0 counted, 0 waiting, 0 dead letters, 0 missing.'],
    ])
    expect(of(found, 'codes').map(([verdict]) => verdict)).toEqual(['ok'])
    expect((await runTern(['recount', '--check'], folder.settings)).exitCode).toBe(0)
  })

  test('reports an error for a server that may lose acknowledged data', async () => {
    // So is every server of a test: nothing of it has to outlive a power failure.
    expect(of(await findings(), 'database')).toEqual([
      [
        'fault',
        'PostgreSQL runs with fsync or full_page_writes off: a power failure can destroy the database.',
      ],
    ])
  })

  test('reports an error for a database that refuses changes, and for one that it may not use', async () => {
    await postgres.run(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
    const refusal =
      'PostgreSQL refuses changes: it is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the primary.'
    expect(of(await findings(), 'database')).toContainEqual(['fault', refusal])
    await postgres.run(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
    await postgres.run('CREATE ROLE nologin NOLOGIN')
    const url = folder.settings.DATABASE_URL!.replace('tern@', 'nologin@')
    expect(of(await findings({ ...folder.settings, DATABASE_URL: url }), 'database')).toEqual([
      [
        'fault',
        expect.stringContaining('PostgreSQL does not accept this machine as the user of DATABASE_URL.'),
      ],
    ])
  })

  test('says that a database is empty, and nothing else about it', async () => {
    const found = await findings({ ...folder.settings, DATABASE_URL: await postgres.makeDatabase() })
    expect(of(found, 'schema')).toEqual([
      [
        'warning',
        'The database has no tables of Tern. The first start creates them. If Tern ran here before, check DATABASE_URL.',
      ],
    ])
    expect(JSON.stringify(found)).not.toContain('Could not check')
  })

  test('reports lost links in exact numbers, before and after they are blocked', async () => {
    const lost = ['lost-1', 'lost-2', 'lost-3'].map((code, i) =>
      claimRecord({ domainId: 0, code, workspaceId: folder.workspaceId, linkId: 90 + i }),
    )
    appendFileSync(codeLogPath(folder.settings.DATA_DIR), lost.join(''))
    expect(of(await findings(), 'codes')).toEqual([
      [
        'fault',
        '3 links that this node acknowledged are lost, and their codes are not blocked yet: lost-1, lost-2, lost-3. Start the node.',
      ],
    ])
    await withServer(async () => {
      // The first claim waits until the log has been looked at.
      await folder.makeLinks(['three'])
      const { status } = await folder.api('POST', '/api/links', {
        original_url: 'https://example.com/',
        custom_code: 'two',
      })
      expect(status).toBe(422)
    })
    expect(of(await findings(), 'codes')).toEqual([
      [
        'fault',
        '3 acknowledged links are lost because the database went back in time. Their codes are blocked: lost-1, lost-2, lost-3.',
      ],
    ])
    const [row] = await postgres.run(`SELECT max(id)::int AS id FROM links`, database)
    expect(row!.id).toBeGreaterThan(92)
  })

  test('reports an error for a database that does not respond, and for one of a newer version', async () => {
    await postgres.run(`INSERT INTO kysely_migration VALUES ('9999-later', '2099-01-01')`, database)
    expect(of(await findings(), 'schema')).toEqual([
      ['fault', expect.stringContaining('The data was written by a newer Tern (it has 9999-later).')],
    ])
    const nobody = { ...folder.settings, DATABASE_URL: 'postgres://tern@127.0.0.1:1/tern' }
    expect(of(await findings(nobody), 'database').map(([verdict]) => verdict)).toEqual(['fault'])
  })

  test('leaves backups to PostgreSQL', async () => {
    for (const words of [
      ['backup', '/tmp/none'],
      ['restore', '/tmp/none'],
    ]) {
      const { exitCode, complaints } = await runTern(words, folder.settings)
      expect([exitCode, complaints.trim()]).toEqual([
        1,
        'The data is in PostgreSQL, which has its own backup tools: see "Backups of PostgreSQL" in docs/operations.md.',
      ])
    }
  })
})
