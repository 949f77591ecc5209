import { beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { claimRecord } from '../../../src/codes/log/code-log-record.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import type { Settings } from '../../rigs/program/server-process.ts'
import { readOnlyDatabase } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

describe.skipIf(lacks('what tern doctor says of nodes', 'postgresql'))('the doctor, on PostgreSQL', () => {
  const tern = useTern({ postgres: {} })
  beforeAll(async () => {
    await tern.makeLinks('one', 'two')
    await tern.stopAll()
  })

  const findings = (check?: string, others: Settings = {}) =>
    tern.findings(check, { settings: { ...tern.operator.settings, ...others } })
  const verdicts = async (check: string, others?: Settings) =>
    (await findings(check, others)).map(({ verdict, says }) => [verdict, says])

  test('checks server, tables, journal and codes, and recount checks the counters', async () => {
    expect(await verdicts('schema')).toEqual([['ok', 'The tables match this version.']])
    expect(await verdicts('journal')).toEqual([
      ['ok', '0 clicks journaled: 0 counted, 0 waiting, 0 dead letters, 0 missing.'],
    ])
    expect((await verdicts('codes')).map(([verdict]) => verdict)).toEqual(['ok'])
    expect((await tern.run(['recount', '--check'])).exitCode).toBe(0)
  })

  test('reports an error for a server that may lose acknowledged data', async () => {
    // So is every server of a test: nothing of it has to outlive a power failure.
    expect(await verdicts('database')).toEqual([
      [
        'fault',
        'PostgreSQL runs with fsync or full_page_writes off: a power failure can destroy the database.',
      ],
    ])
  })

  test('reports an error for a database that refuses changes, and for one that it may not use', async () => {
    const allowChanges = await readOnlyDatabase(tern)
    const refusal =
      'PostgreSQL refuses changes: it is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the primary.'
    expect(await verdicts('database')).toContainEqual(['fault', refusal])
    await allowChanges()
    await tern.database.run('CREATE ROLE nologin NOLOGIN')
    const DATABASE_URL = tern.operator.settings.DATABASE_URL!.replace('tern@', 'nologin@')
    expect(await verdicts('database', { DATABASE_URL })).toEqual([
      [
        'fault',
        expect.stringContaining('PostgreSQL does not accept this machine as the user of DATABASE_URL.'),
      ],
    ])
  })

  test('says that a database is empty, and nothing else about it', async () => {
    const settings = { DATABASE_URL: await tern.database.server.makeDatabase() }
    expect(await verdicts('schema', settings)).toEqual([
      [
        'warning',
        'The database has no tables of Tern. The first start creates them. If Tern ran here before, check DATABASE_URL.',
      ],
    ])
    expect(JSON.stringify(await findings(undefined, settings))).not.toContain('Could not check')
  })

  test('reports lost links in exact numbers, before and after they are blocked', async () => {
    const lost = ['lost-1', 'lost-2', 'lost-3'].map((code, i) =>
      claimRecord({ domainId: 0, code, workspaceId: tern.operator.workspaceId, linkId: 90 + i }),
    )
    appendFileSync(codeLogPath(tern.dataDir), lost.join(''))
    expect(await verdicts('codes')).toEqual([
      [
        'fault',
        '3 links that this node acknowledged are lost, and their codes are not blocked yet: lost-1, lost-2, lost-3. Start the node.',
      ],
    ])
    await tern.startAll()
    // The first claim waits until the log has been looked at.
    await tern.makeLinks('three')
    const claim = { original_url: 'https://example.com/', custom_code: 'two' }
    expect((await tern.api('POST', '/api/links', claim)).status).toBe(422)
    await tern.stopAll()
    expect(await verdicts('codes')).toEqual([
      [
        'fault',
        '3 acknowledged links are lost because the database went back in time. Their codes are blocked: lost-1, lost-2, lost-3.',
      ],
    ])
    const [row] = await tern.database.run('SELECT max(id)::int AS id FROM links')
    expect(row!.id).toBeGreaterThan(92)
  })

  test('leaves backups to PostgreSQL', async () => {
    for (const words of [
      ['backup', '/tmp/none'],
      ['restore', '/tmp/none'],
    ]) {
      const { exitCode, complaints } = await tern.run(words)
      expect([exitCode, complaints.trim()]).toEqual([
        1,
        'The data is in PostgreSQL, which has its own backup tools: see "Backups of PostgreSQL" in docs/operations.md.',
      ])
    }
  })
})
