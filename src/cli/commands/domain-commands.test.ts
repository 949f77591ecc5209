import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { join } from 'node:path'
import { type DomainWorld, OWN_IP, startDomainWorld } from '../../../test/rigs/service/domain-world.ts'
import type { Ended } from '../../../test/rigs/program/server-process.ts'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'
import { COMMAND_LINE, operatorIn } from '../../access/caller.ts'
import { readConfig } from '../../config/config.ts'
import { addDomain } from '../../domains/add-domain.ts'
import { openDomainChecks } from '../../domains/open-domain-checks.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { withTables } from '../../store/with-tables.ts'
import { openStore } from '../../store/open-store.ts'
import { ANNOUNCED_BY_STORE } from '../command.ts'
import { runCommand } from '../run-command.ts'
import { domainCommandsWith } from './domain-commands.ts'

const HOST = 'go.example'

const rig = useTernCommand()
const { tern } = rig
let world: DomainWorld
beforeAll(async () => (world = await startDomainWorld()))
afterAll(() => world.stop())

test('shared domains are added, listed and removed, and come back as the same', async () => {
  expect((await tern('domain', 'list')).complaints).toStartWith('There is no database in ')
  expect(await tern('domain', 'add', 'Go.Example.')).toEqual(
    done('Every workspace can use go.example now. Its DNS records must point to this server.'),
  )
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const shared = {
    host: HOST,
    workspace_id: null,
    workspace: null,
    status: 'active',
    failure: null,
    verified_at: time,
    checked_at: null,
    failing_since: null,
    created_at: time,
  }
  const before = await list()
  expect(before).toEqual([shared])
  const [head, row] = (await tern('domain', 'list')).output.split('\n')
  expect(head!.split(/ +/)).toEqual(['host', 'workspace', 'status', 'checked', 'created'])
  expect(row).toMatch(/^go\.example {2}all +active +\d{4}-.{14}Z$/)
  expect(await tern('domain', 'add', HOST)).toEqual(
    refused('Every workspace of this server can use the domain already.'),
  )
  expect(await verify(HOST)).toEqual(refused('go.example is a shared domain, which needs no verification.'))
  expect(await tern('domain', 'remove', HOST)).toEqual(
    done('go.example is removed. Its links and codes are kept, and come back when it is added again.'),
  )
  expect(await list()).toEqual([])
  expect(await tern('domain', 'remove', HOST)).toEqual(refused('Domain not found.'))
  await tern('domain', 'add', HOST)
  expect(await list()).toEqual(before)
  const ids = await withStore((db) => db.selectFrom('domains').select('id').where('id', '<>', 0).execute())
  expect(ids).toHaveLength(1)
})

test('a workspace’s domain that was never verified is removed with nothing to keep', async () => {
  await workspaceWith('Ann', HOST)
  expect(await tern('domain', 'remove', HOST)).toEqual(done('go.example is removed.'))
  expect(await list()).toEqual([])
})

test.each([
  ['https://go.example/', 'The host must be a domain name, for example go.example.com.'],
  ['192.0.2.1', 'The host must be a domain name, for example go.example.com.'],
  ['localhost', 'The host must be a domain name, for example go.example.com.'],
])('what is no domain is not added: %s', async (host, sentence) => {
  expect(await tern('domain', 'add', host)).toEqual(refused(sentence))
  expect(existsSync(storePath(rig.dataDir))).toBe(false)
})

test('the audit log of each workspace with links on a shared domain says when it is removed and comes back', async () => {
  const ann = await workspaceWith('Ann', 'other.example')
  await workspaceWith('Bob', 'other.example')
  await tern('domain', 'add', HOST)
  await withStore(async (db) => {
    const named = db.selectFrom('domains').select('id').where('name', '=', HOST)
    const { id } = await named.executeTakeFirstOrThrow()
    const own = { workspace_id: ann, code: 'there', domain_id: id }
    const texts = { svc_id: '', original_url: 'https://example.com/', target_url: null, title: '' }
    const link = { ...own, ...texts, is_active: 1, created_at: 1, updated_at: 1 }
    const added = db.insertInto('links').values(link).returning('id as link_id')
    await db
      .insertInto('codes')
      .values({ ...own, ...(await added.executeTakeFirstOrThrow()) })
      .execute()
  })
  await tern('domain', 'remove', HOST)
  await tern('domain', 'add', HOST)
  const entries = await withStore((db) =>
    db
      .selectFrom('audit_log')
      .select(['workspace_id', 'actor', 'client', 'action'])
      .where('target', '=', HOST)
      .orderBy('id')
      .execute(),
  )
  const by = { workspace_id: ann, actor: 'Operator', client: 'command line' }
  expect(entries).toEqual([
    { ...by, action: 'domain.removed' },
    { ...by, action: 'domain.added' },
  ])
})

test('a workspace’s domain is verified by its TXT record, and removed; one of several is named by its workspace', async () => {
  const ann = await workspaceWith('Ann', HOST)
  const failed = await verify(HOST)
  expect([failed.exitCode, failed.output]).toEqual([1, ''])
  expect(failed.complaints).toStartWith(
    'The check of go.example has failed. There is no TXT record _tern.go.example with the expected value. ',
  )
  expect(await list()).toMatchObject([{ workspace_id: ann, workspace: 'Ann', status: 'pending' }])

  await prove(ann)
  world.addresses.set(HOST, OWN_IP)
  expect(await verify(HOST)).toEqual(done('go.example is verified.'))
  expect(await list()).toMatchObject([{ workspace_id: ann, status: 'active', failure: null }])
  expect(await tern('domain', 'add', HOST)).toEqual(
    refused(`The workspace with the ID ${ann} has verified the domain. Remove it there first.`),
  )

  const bob = await workspaceWith('Bob', HOST)
  const several = `Several have added go.example: ${ann} (Ann), ${bob} (Bob). Name one with --workspace.`
  expect(await tern('domain', 'remove', HOST)).toEqual(refused(several))
  expect(await verify(HOST)).toEqual(refused(several))
  await prove(bob)
  const { exitCode, output } = await verify(HOST, '--workspace', 'Bob')
  expect([exitCode, output.split('\n').at(-2)]).toEqual([0, 'go.example is verified.'])
  // Who has lost it gets an email: without a mail server, in the outbox.
  expect(readdirSync(join(rig.dataDir, 'outbox'))).toHaveLength(1)
  expect(await list('--search', 'bob')).toMatchObject([{ workspace_id: bob, status: 'active' }])
  expect(await list('--search', 'ann')).toMatchObject([{ workspace_id: ann, status: 'pending' }])

  expect(await tern('domain', 'remove', HOST, '--workspace', `${bob}`)).toEqual(
    done(
      'go.example is removed. Its links and codes are kept, and come back when the workspace adds and verifies it again.',
    ),
  )
  expect(await list()).toMatchObject([{ workspace_id: ann, status: 'pending' }])
  const entries = await withStore((db) =>
    db
      .selectFrom('audit_log')
      .select(['workspace_id', 'actor', 'client', 'action'])
      .where('target', '=', HOST)
      .where('action', '<>', 'domain.added')
      .orderBy('id')
      .execute(),
  )
  const by = { actor: 'Operator', client: 'command line' }
  expect(entries).toEqual([
    { workspace_id: ann, ...by, action: 'domain.verified' },
    { workspace_id: bob, ...by, action: 'domain.verified' },
    { workspace_id: bob, ...by, action: 'domain.removed' },
  ])
})

const list = (...options: string[]) => rig.json('domain', 'list', ...options)

async function withStore<Result>(work: (db: DurableDb) => Promise<Result>): Promise<Result> {
  const store = await openStore(rig, 'same-thread')
  try {
    return await work(store.db)
  } finally {
    await store.close()
  }
}

/** A user with a workspace, which has added a domain and not verified it. */
async function workspaceWith(name: string, host: string): Promise<number> {
  await rig.create(`${name.toLowerCase()}@example.com`, '--name', name, '--verified')
  const { id } = await rig.json('workspace', 'show', name)
  const deps = { clock: systemClock, redirectState: ANNOUNCED_BY_STORE }
  await withStore((db) => addDomain({ db, ...deps }, operatorIn(id, COMMAND_LINE), host))
  return id
}

/** With the DNS servers of the test, which no setting can name. */
async function verify(...words: string[]): Promise<Ended> {
  const lines = { output: '', complaints: '' }
  const { reachableIps = [], dnsServers } = world.options
  const exitCode = await runCommand(
    domainCommandsWith((config) => openDomainChecks({ config, reachableIps, dnsServers })),
    ['domain', 'verify', ...words],
    {
      readStore: (work) => withTables(rig, work),
      withStore,
      withNewStore: withStore,
      clock: systemClock,
      readConfig: () => readConfig({ ...world.settings, DATA_DIR: rig.dataDir, LOG_LEVEL: 'silent' }),
      print: (line) => void (lines.output += `${line}\n`),
      complain: (line) => void (lines.complaints += `${line}\n`),
    },
  )
  return { exitCode, ...lines }
}

async function prove(workspaceId: number): Promise<void> {
  const { verification_token: token } = await withStore((db) =>
    db
      .selectFrom('domains')
      .select('verification_token')
      .where('name', '=', HOST)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow(),
  )
  world.txt.set(`_tern.${HOST}`, `tern-verify=${token}`)
}
