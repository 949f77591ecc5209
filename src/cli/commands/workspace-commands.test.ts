import { expect, test } from 'bun:test'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import { openStore } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import { createWorkspace } from '../../workspaces/workspace.ts'

const rig = useTernCommand()
const { tern, json } = rig

test('workspaces are listed and shown, and get another plan', async () => {
  expect((await tern('workspace', 'list')).complaints).toStartWith('There is no database in ')
  await rig.create('ann@example.com')
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
    done(`Workspace ${id} (Ann) is now on the plan pro.`),
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
    refused('The plan must be one of free, pro, business, enterprise.'),
  )
  expect(await tern('workspace', 'plan', '999', 'pro')).toEqual(refused('Workspace not found.'))
  expect(await tern('workspace', 'show', '999')).toEqual(refused('Workspace not found.'))
})

test('a user’s second workspace is suspended by its name and reinstated by its ID, which its audit log says', async () => {
  async function inStore<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const store = await openStore(rig, 'same-thread')
    return transact(store.db, work).finally(() => store.close())
  }
  const add = (ownerId: number, name: string) =>
    inStore((tx) => createWorkspace(tx, { name, ownerId, nowUs: systemClock.nowUs() }))
  const suspended = async () =>
    (await json('workspace', 'list'))
      .filter((workspace: { suspended_at: string | null }) => workspace.suspended_at !== null)
      .map(({ id }: { id: number }) => id)
  await rig.create('ann@example.com')
  await rig.create('bob@example.com')
  const team = await add(2, 'Team')

  expect(await tern('workspace', 'suspend', 'Team')).toEqual(done(`Workspace ${team} (Team) is suspended.`))
  // Again changes nothing.
  expect(await json('workspace', 'suspend', `${team}`)).toMatchObject({
    id: team,
    suspended_at: expect.any(String),
  })
  expect(await suspended()).toEqual([team])
  const reinstated = done(`Reinstated workspace ${team} (Team).`)
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
    refused(`Several workspaces have the name Team. Name one by its ID: ${team}, ${other}.`),
  )
  const ofBob = await json('workspace', 'list', '--search', 'BOB@')
  expect(ofBob.map(({ id }: { id: number }) => id)).toEqual([team, 2])
  expect(await tern('workspace', 'suspend', 'Nobody')).toEqual(refused('Workspace not found.'))
  // The only operator must have a workspace to sign in to.
  await tern('workspace', 'suspend', `${other}`)
  expect(await tern('workspace', 'suspend', '1')).toEqual(
    refused('This is the only operator account. Make another account an operator first.'),
  )
  expect(await suspended()).toEqual([other])
})
