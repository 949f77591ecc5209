import { afterEach, expect, test } from 'bun:test'
import { type Ended, runTern } from '../../../test/rigs/program/server-process.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import { openStore } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import { createWorkspace } from '../../workspaces/workspace.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const done = (output: string): Ended => ({ exitCode: 0, output, complaints: '' })
const refused = (complaints: string): Ended => ({ exitCode: 1, output: '', complaints })

test('workspaces are listed and shown, and get another plan', async () => {
  const settings = { DATA_DIR: folders.make() }
  const tern = (...words: string[]) => runTern(words, settings)
  const json = async (...words: string[]) => JSON.parse((await tern(...words, '--json')).output)
  expect((await tern('workspace', 'list')).complaints).toStartWith('There is no database in ')
  await tern('account', 'create', 'ann@example.com', '--name', 'Ann', '--password', 'correct horse battery')
  const [{ workspace_id: id }] = await json('account', 'list')
  const ann = {
    id,
    name: 'Ann',
    owner: 'ann@example.com',
    plan: 'free',
    rate_limit: null,
    members: 1,
    links: 0,
    suspended_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  }
  expect(await json('workspace', 'list')).toEqual([ann])
  expect(await tern('workspace', 'plan', `${id}`, 'pro')).toEqual(
    done(`Workspace ${id} (Ann) is now on the plan pro.\n`),
  )
  expect(await json('workspace', 'show', `${id}`)).toEqual({ ...ann, plan: 'pro', link_limit: null })
  const [head, row] = (await tern('workspace', 'list')).output.split('\n')
  expect(head!.split(/ +/)).toEqual([
    'id',
    'name',
    'owner',
    'plan',
    'members',
    'links',
    'suspended',
    'created',
  ])
  expect(row!.split(/ +/)).toEqual([
    `${id}`,
    'Ann',
    'ann@example.com',
    'pro',
    '1',
    '0',
    'no',
    expect.any(String),
  ])
  expect(await tern('workspace', 'plan', `${id}`, 'gold')).toEqual(
    refused('The plan must be one of free, pro, business, enterprise.\n'),
  )
  expect(await tern('workspace', 'plan', '999', 'pro')).toEqual(refused('Workspace not found.\n'))
  expect(await tern('workspace', 'show', '999')).toEqual(refused('Workspace not found.\n'))
})

test('a user’s second workspace is suspended by its name and reinstated by its ID, which its audit log says', async () => {
  const dataDir = folders.make()
  const tern = (...words: string[]) => runTern(words, { DATA_DIR: dataDir })
  async function inStore<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const store = await openStore({ dataDir }, 'same-thread')
    return transact(store.db, work).finally(() => store.close())
  }
  const add = (ownerId: number, name: string) =>
    inStore((tx) => createWorkspace(tx, { name, ownerId, nowUs: systemClock.nowUs() }))
  const create = (name: string) =>
    tern('account', 'create', `${name}@example.com`, '--name', name, '--password', 'correct horse battery')
  const suspended = async () =>
    JSON.parse((await tern('workspace', 'list', '--json')).output)
      .filter((workspace: { suspended_at: string | null }) => workspace.suspended_at !== null)
      .map(({ id }: { id: number }) => id)
  await create('ann')
  await create('bob')
  const team = await add(2, 'Team')

  expect(await tern('workspace', 'suspend', 'Team')).toEqual(done(`Workspace ${team} (Team) is suspended.\n`))
  // Again changes nothing.
  const again = await tern('workspace', 'suspend', `${team}`, '--json')
  expect(JSON.parse(again.output)).toMatchObject({ id: team, suspended_at: expect.any(String) })
  expect(await suspended()).toEqual([team])
  const reinstated = done(`Reinstated workspace ${team} (Team).\n`)
  expect(await tern('workspace', 'reinstate', `${team}`)).toEqual(reinstated)
  expect(await suspended()).toEqual([])
  const entries = await inStore((tx) =>
    tx.selectFrom('audit_log').select(['workspace_id', 'action', 'actor', 'client']).orderBy('id').execute(),
  )
  const by = { workspace_id: team, actor: 'Operator', client: 'command line' }
  expect(entries).toEqual([
    { ...by, action: 'workspace.suspended' },
    { ...by, action: 'workspace.reinstated' },
  ])

  const other = await add(1, 'Team')
  expect(await tern('workspace', 'suspend', 'Team')).toEqual(
    refused(`Several workspaces have the name Team. Name one by its ID: ${team}, ${other}.\n`),
  )
  const { output } = await tern('workspace', 'list', '--search', 'BOB@', '--json')
  expect(JSON.parse(output).map(({ id }: { id: number }) => id)).toEqual([team, 2])
  expect(await tern('workspace', 'suspend', 'Nobody')).toEqual(refused('Workspace not found.\n'))
  // The only operator must have a workspace to sign in to.
  await tern('workspace', 'suspend', `${other}`)
  expect(await tern('workspace', 'suspend', '1')).toEqual(
    refused('This is the only operator account. Make another account an operator first.\n'),
  )
  expect(await suspended()).toEqual([other])
})
