import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { until } from '../../../test/rigs/eventually.ts'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import type { LogFields } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import type { Store } from '../../store/open-store.ts'
import { StatePoll } from './state-poll.ts'

const folders = useSharedFolders()

test('what redirects depend on is counted by SQLite, and nothing else', async () => {
  const { db, close } = await openSqlite()
  await addAccount(db, { email: 'ann@example.com' })
  const count = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count FROM redirect_state_changes`.execute(db)
    return rows[0]!.count
  }
  for (const [what, change] of REPORTED) {
    const before = await count()
    await change(db).execute()
    expect([what, await count()]).toEqual([what, before + 1])
  }
  await db
    .insertInto('domains')
    .values({ name: 'go.example', home_url: 'https://a.b/', verified_at: 1 })
    .execute()
  const before = await count()
  for (const [what, change] of NOT_REPORTED) {
    await change(db).execute()
    expect([what, await count()]).toEqual([what, before])
  }
  await close()
})

describe('a poll', () => {
  test('reports once at the start, and then each change of another process', async () => {
    const folder = folders.make()
    const [server, command] = [await openSqlite(folder), await openSqlite(folder)]
    let reports = 0
    const poll = new StatePoll({ db: server.db, log: { warn() {} } }, async () => void reports++)
    await until(() => reports === 1)
    await command.db
      .insertInto('domains')
      .values({ name: 'a.example', host: 'a.example', verified_at: 1 })
      .execute()
    await until(() => reports === 2)
    await poll.stop()
    await Promise.all([server.close(), command.close()])
  })

  test('tries again what has failed, and says so once', async () => {
    const { db, close } = await openSqlite()
    const warnings: LogFields[] = []
    let tries = 0
    const poll = new StatePoll({ db, log: { warn: (_, fields = {}) => void warnings.push(fields) } }, () =>
      ++tries < 3 ? Promise.reject(new Error('no disk')) : Promise.resolve(),
    )
    await until(() => tries === 3)
    expect(warnings).toHaveLength(1)
    await poll.stop()
    await close()
  })
})

const REPORTED: Change[] = [
  [
    'a host is blocked',
    (db) => db.insertInto('blocked_hosts').values({ host: 'a.b', reason: '', created_at: 1 }),
  ],
  ['a host is unblocked', (db) => db.deleteFrom('blocked_hosts')],
  [
    'a verified domain is added',
    (db) => db.insertInto('domains').values({ host: 'go.example', name: 'go.example', verified_at: 1 }),
  ],
  domainSet('host', 'other.example'),
  domainSet('workspace_id', 7),
  domainSet('is_shared', 1),
  ...['home_url', 'not_found_url', 'expired_url'].map((column) => domainSet(column, 'https://a.b/')),
  ['a verified domain is deleted', (db) => db.deleteFrom('domains').where('id', '<>', 0)],
  ...['suspended_at', 'closed_at', 'default_domain_id', 'uncounted_key'].map(workspaceSet),
  ...networksSet('uncounted_networks'),
]

const NOT_REPORTED: Change[] = [
  ['a pending domain is added', (db) => db.insertInto('domains').values({ name: 'pending.example' })],
  [
    'the pages of a pending domain',
    (db) => db.updateTable('domains').set({ home_url: 'https://c.d/' }).where('verified_at', 'is', null),
  ],
  ['a pending domain is deleted', (db) => db.deleteFrom('domains').where('name', '=', 'pending.example')],
  domainSet('checked_at', 7),
  domainSet('home_url', 'https://a.b/'),
  workspaceSet('rate_limit'),
  ...networksSet('timezone'),
]

function domainSet(column: string, value: string | number): Change {
  return [
    `the ${column} of a domain`,
    (db) =>
      db
        .updateTable('domains')
        .set({ [column]: value })
        .where('id', '<>', 0),
  ]
}

function workspaceSet(column: string): Change {
  return [`the ${column} of a workspace`, (db) => db.updateTable('workspaces').set({ [column]: 7 })]
}

function networksSet(name: string): Change[] {
  const row = { workspace_id: 1, name, value: '["192.0.2.1"]', updated_at: 1 }
  return [
    [`the setting ${name} is made`, (db) => db.insertInto('workspace_settings').values(row)],
    [
      `the setting ${name} is changed`,
      (db) => db.updateTable('workspace_settings').set({ value: '[]' }).where('name', '=', name),
    ],
    [`the setting ${name} is removed`, (db) => db.deleteFrom('workspace_settings').where('name', '=', name)],
  ]
}

const openSqlite = (folder = folders.make()): Promise<Store> => openTestStore(folder, 'sqlite')

type Change = [what: string, (db: DurableDb) => { execute(): Promise<unknown> }]
