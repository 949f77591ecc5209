import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import type { Store } from '../../store/open-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { blockCodesLostSince } from './block-lost-codes.ts'
import { type ClaimedCode, claimRecord, headRecord, readClaimRecord } from './code-log-record.ts'
import { openCodeLog } from './open-code-log.ts'
import { codeLogPath } from './read-code-log.ts'
import { addAccount } from '../../../test/rigs/service/add-account.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store
let log: ReturnType<typeof recordingLog>
let uncounted: { link: number; workspace: number }

beforeEach(openStore)
afterEach(closeStore)

describe('opening the code log', () => {
  test('of a new folder makes it; opening it again changes nothing', async () => {
    const opened = await open()
    expect(opened).toMatchObject({ path: path(), end: content().length, blocked: 0 })
    const before = content()
    expect(await open()).toEqual(opened)
    expect(content()).toBe(before)
    expect(log.lines).toEqual([])
  })

  test('of a folder that has links writes all of its codes down, those of deleted links and of nobody too', async () => {
    const workspaceId = await makeAccount('a@example.com')
    const linkId = await makeLink('here', workspaceId)
    await store.db.insertInto('codes').values({ code: 'deleted', workspace_id: workspaceId }).execute()
    await store.db.insertInto('codes').values({ code: 'nobodys', workspace_id: null }).execute()
    await open()
    expect(logged()).toEqual([
      { domainId: 0, code: 'deleted', workspaceId, linkId: 0 },
      { domainId: 0, code: 'here', workspaceId, linkId },
      { domainId: 0, code: 'nobodys', workspaceId: 0, linkId: 0 },
    ])
  })

  test('blocks what the store does not know: for its workspace, or for all where that is gone too', async () => {
    const workspaceId = await makeAccount('a@example.com')
    await makeLink('known', workspaceId)
    await open()
    appendFileSync(path(), claimRecord(lost('mine', workspaceId, 17)) + claimRecord(lost('gone', 99, 18)))
    expect(await open()).toMatchObject({ blocked: 2, end: content().length })
    expect(await codes()).toEqual([
      { code: 'gone', workspace_id: null },
      { code: 'known', workspace_id: workspaceId },
      { code: 'mine', workspace_id: workspaceId },
    ])
    expect(log.lines.map(({ message, fields }) => [message, fields])).toEqual([
      ['Codes that the database lost are now blocked.', { codes: 2 }],
    ])
    expect(await makeLink('next', workspaceId)).toBe(19)
    expect(await makeAccount('b@example.com')).toBe(100)
  })

  test('reads only what is behind the position on which store and log agree', async () => {
    await open()
    appendFileSync(path(), claimRecord(lost('first', 1, 1)))
    await open()
    await store.db.deleteFrom('codes').execute()
    appendFileSync(path(), claimRecord(lost('second', 1, 2)))
    expect(await open()).toMatchObject({ blocked: 1 })
    expect(await codes()).toEqual([{ code: 'second', workspace_id: null }])
  })

  test('reads all of a log that the store does not know, as after restoring a database from before the log', async () => {
    await open()
    appendFileSync(path(), claimRecord(lost('first', 1, 1)))
    await open()
    await store.db.deleteFrom('codes').execute()
    await store.db.deleteFrom('code_log').execute()
    expect(await open()).toMatchObject({ blocked: 1 })
    expect(await codes()).toEqual([{ code: 'first', workspace_id: null }])
  })

  test('cuts half a line off, which nobody heard of', async () => {
    await open()
    const whole = content() + claimRecord(lost('whole', 1, 1))
    writeFileSync(path(), whole + claimRecord(lost('torn', 1, 2)).slice(0, -1), 'latin1')
    expect(await open()).toMatchObject({ blocked: 1, end: whole.length })
    expect(content()).toBe(whole)
  })

  test('that has lost its end writes all codes of the store down once more', async () => {
    const workspaceId = await makeAccount('a@example.com')
    await makeLink('one', workspaceId)
    await open()
    const linkId = await makeLink('two', workspaceId)
    appendFileSync(path(), claimRecord(lost('two', workspaceId, linkId)))
    await open()
    truncateSync(path(), content().length - 5)
    expect(await open()).toMatchObject({ end: content().length, blocked: 0 })
    expect(new Set(logged().map(({ code }) => code))).toEqual(new Set(['one', 'two']))
    const before = content()
    await open()
    expect(content()).toBe(before)
  })

  test('that is gone makes a new one, with all codes, and no id below one that a click has', async () => {
    const workspaceId = await makeAccount('a@example.com')
    await makeLink('one', workspaceId)
    await open()
    rmSync(path())
    uncounted = { link: 40, workspace: 20 }
    await store.db
      .insertInto('link_totals')
      .values({ link_id: 50, workspace_id: 1, clicks: 1, visitors: 1, bots: 0, last_clicked_at: 0 })
      .execute()
    await open()
    expect(logged()).toEqual([{ domainId: 0, code: 'one', workspaceId, linkId: 1 }])
    expect(await makeLink('next', workspaceId)).toBe(51)
    expect(await makeAccount('b@example.com')).toBe(21)
  })

  test('whose first line is damaged gets a new one, and loses no code', async () => {
    await open()
    appendFileSync(path(), claimRecord(lost('one', 1, 1)))
    writeFileSync(path(), content().replace('tern', 'TERN'), 'latin1')
    expect(await open()).toMatchObject({ blocked: 1 })
    expect(content()).toStartWith(headRecord((await open()).log))
    expect(logged().map(({ code }) => code)).toContain('one')
    expect(existsSync(`${path()}.next`)).toBe(false)
  })

  test('with a damaged line says so, and reads the others', async () => {
    await open()
    const damaged = claimRecord(lost('one', 1, 1)).replace('one', 'ONE')
    appendFileSync(path(), damaged + claimRecord(lost('two', 1, 2)))
    expect(await open()).toMatchObject({ blocked: 1 })
    expect(log.lines.map(({ message }) => message)).toContain('The code log has unreadable lines.')
  })
})

describe('a command beside the server', () => {
  test('blocks the same codes and moves no position', async () => {
    expect(await blockCodesLostSince(store.db, dataDir)).toMatchObject({ blocked: 0 })
    await open()
    const position = () => store.db.selectFrom('code_log').selectAll().execute()
    const before = await position()
    appendFileSync(path(), claimRecord(lost('lost', 1, 7)))
    expect(await blockCodesLostSince(store.db, dataDir)).toMatchObject({ blocked: 1 })
    expect(await blockCodesLostSince(store.db, dataDir)).toMatchObject({ blocked: 0 })
    expect(await position()).toEqual(before)
    expect(await codes()).toEqual([{ code: 'lost', workspace_id: null }])
  })
})

async function openStore(): Promise<void> {
  dataDir = folders.make()
  store = await openSqliteStore(dataDir, 'same-thread')
  log = recordingLog()
  uncounted = { link: 0, workspace: 0 }
}

async function closeStore(): Promise<void> {
  await store.close()
  folders.remove()
}

const open = () => openCodeLog({ db: store.db, log, uncountedIds: async () => uncounted }, dataDir)
const path = () => codeLogPath(dataDir)
const content = () => readFileSync(path(), 'latin1')

const logged = () =>
  content()
    .split('\n')
    .flatMap((line) => readClaimRecord(line) ?? [])

const codes = () => store.db.selectFrom('codes').select(['code', 'workspace_id']).orderBy('code').execute()

const makeAccount = async (email: string) => (await addAccount(store.db, { email })).workspaceId

async function makeLink(code: string, workspaceId: number): Promise<number> {
  const { id } = await store.db
    .insertInto('links')
    .values({
      workspace_id: workspaceId,
      code,
      svc_id: '',
      original_url: '',
      target_url: null,
      title: '',
      is_active: 1,
      created_at: 0,
      updated_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.db.insertInto('codes').values({ code, workspace_id: workspaceId, link_id: id }).execute()
  return id
}

const lost = (code: string, workspaceId: number, linkId: number): ClaimedCode => ({
  domainId: 0,
  code,
  workspaceId,
  linkId,
})
