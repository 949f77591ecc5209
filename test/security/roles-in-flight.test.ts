import { UNHEARD } from '../rigs/service/creation.ts'
import { beforeEach, describe, expect, test } from 'bun:test'
import { callerWithKey, callerWithRole, type SignedInCaller } from '../../src/access/caller.ts'
import { type MemberRole, SCOPES } from '../../src/access/roles-and-scopes.ts'
import { revokeVisibleKey } from '../../src/api-keys/find-key.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { addDomain } from '../../src/domains/add-domain.ts'
import { editDomain } from '../../src/domains/edit-domain.ts'
import { findDomain } from '../../src/domains/find-domains.ts'
import { removeDomain } from '../../src/domains/remove-domain.ts'
import { verifyDomain } from '../../src/domains/verify-domain.ts'
import { manualClock } from '../../src/runtime/clock.ts'
import type { Tx } from '../../src/store/handles.ts'
import type { Store } from '../../src/store/open-store.ts'
import { transact } from '../../src/store/transact.ts'
import { changeWorkspace } from '../../src/users/members/change-workspace.ts'
import {
  changeMemberRole,
  leaveOwnWorkspace,
  removeMember,
  transferWorkspace,
} from '../../src/users/members/member-changes.ts'
import {
  copyInvitation,
  inviteMembers,
  sendInvitationAgain,
  withdrawWorkspaceInvitation,
} from '../../src/users/members/workspace-invitations.ts'
import { changeSettings } from '../../src/workspaces/settings/change-settings.ts'
import { lockWorkspace } from '../../src/workspaces/close-workspace.ts'
import { addAccount } from '../rigs/service/add-account.ts'
import { hasFollower } from '../rigs/store/lock-wait.ts'
import { NOON_US } from '../rigs/clicks/journal-rig.ts'
import { lacksPostgres } from '../rigs/store/postgres-server.ts'
import { useTestStore, useSharedStore } from '../rigs/store/test-store.ts'

// The role is read when a request is admitted. It may be another one when the request gets to its change.

const BASE_URL = 'https://s.example'
const ROLE_MISSING = 'Insufficient permissions: your role in this workspace does not allow it.'
const NO_WORKSPACE = 'Workspace not found.'

let accounts = 0

const OTHERS_KEY = 'revoking the key of somebody else'

describe('a request of a former admin changes nothing any more', () => {
  const store = useTestStore()

  test.each(Object.entries({ ...OF_ADMINS, 'making a key': issuing, leaving: leaving() }))(
    'who was removed: %s',
    async (_, change) => {
      const world = await makeWorld(store)
      await remove(world, store.db)
      const before = await everything(world)
      await expect(change(world, world.admin.caller)).rejects.toMatchObject({ message: NO_WORKSPACE })
      expect(await everything(world)).toEqual(before)
    },
  )

  test.each(Object.entries(OF_ADMINS))('who is a viewer now: %s', async (name, change) => {
    const world = await makeWorld(store)
    await demote(world, store.db)
    const before = await everything(world)
    // Everybody revokes keys of their own, and sees no other.
    const message = name === OTHERS_KEY ? `There is no active key with the id ${world.keyId}.` : ROLE_MISSING
    await expect(change(world, world.admin.caller)).rejects.toMatchObject({ message })
    expect(await everything(world)).toEqual(before)
  })

  test('who is a viewer now: a key beyond that', async () => {
    const world = await makeWorld(store)
    await demote(world, store.db)
    const before = await everything(world)
    const fields = { scopes: ['Your role in this workspace does not allow all of these scopes.'] }
    await expect(issuing(world, world.admin.caller)).rejects.toMatchObject({ kind: 'invalid', fields })
    expect(await everything(world)).toEqual(before)
  })

  test('who is an editor now: a setting that only admins change, also with a key', async () => {
    const world = await makeWorld(store)
    const { userId, caller } = world.admin
    await store.db.updateTable('members').set({ role: 'editor' }).where('user_id', '=', userId).execute()
    const { workspaceId } = world
    const key = callerWithKey({
      id: world.keyId,
      workspaceId,
      userId,
      name: 'Key',
      memberRole: 'admin',
      scopes: SCOPES,
      restrictions: undefined,
    })
    for (const each of [caller, key]) {
      const changing = changeSettings(depsOf(world), each, { preview_pages: false })
      await expect(changing).rejects.toMatchObject({
        message: 'Insufficient permissions: only admins of the workspace can change preview_pages.',
      })
      expect(await changeSettings(depsOf(world), each, { utm_templates: [] })).toBeDefined()
    }
  })

  test('a former owner neither makes owners nor transfers the workspace', async () => {
    const world = await makeWorld(store, 'owner')
    const { userId, caller } = world.admin
    await store.db.updateTable('members').set({ role: 'admin' }).where('user_id', '=', userId).execute()
    const before = await everything(world)
    const deps = depsOf(world)
    const onlyOwners = { message: 'Insufficient permissions: only owners can do this.' }
    await expect(changeMemberRole(deps, caller, { userId, role: 'owner' })).rejects.toMatchObject(onlyOwners)
    await expect(
      removeMember(deps, caller, { userId: world.otherId, keepsKeys: false }),
    ).rejects.toMatchObject(onlyOwners)
    await expect(transferWorkspace(deps, caller, world.otherId)).rejects.toMatchObject({
      message: ROLE_MISSING,
    })
    expect(await everything(world)).toEqual(before)
  })
})

function leaving(): Change {
  return (world, caller) => leaveOwnWorkspace(depsOf(world), caller)
}

// SQLite runs one writing transaction at a time.
const isMissing = lacksPostgres('roles that change in flight')

describe.skipIf(isMissing)('while the transaction of a removal runs', () => {
  const store = useSharedStore('postgres')
  let world: World
  beforeEach(async () => {
    world = await makeWorld(store)
  })

  test.each(Object.entries({ ...OF_ADMINS, 'making a key': issuing }))(
    '%s waits for it, and is refused',
    async (_, change) => {
      let changing: Promise<unknown> | undefined
      await transact(store.db, async (tx) => {
        await lockWorkspace(tx, world.workspaceId)
        await remove(world, tx)
        changing = change(world, world.admin.caller).catch((error: Error) => error.message)
        await hasFollower(tx)
      })
      expect(await changing).toBe(NO_WORKSPACE)
    },
  )
})

type World = {
  store: Store
  workspaceId: number
  admin: { userId: number; caller: SignedInCaller }
  otherId: number
  keyId: number
  invitationId: number
}

const depsOf = ({ store }: Pick<World, 'store'>) => ({
  db: store.db,
  clock: manualClock(NOON_US),
  baseUrl: BASE_URL,
  mails: { post() {} },
  ...UNHEARD,
  countMail() {},
  redirectState: { changed: async () => {} },
  domainCheckPlaces: { run: (_: number, work: () => Promise<unknown>) => work() } as never,
  domainChecks: { check: async () => ({}) } as never,
})

/** A workspace with two owners, and an admin whose request is in flight. */
async function makeWorld(store: Store, role: MemberRole = 'admin'): Promise<World> {
  const number = ++accounts
  const add = (name: string) =>
    addAccount(store.db, { email: `${name}${number}@example.com`, name: `${name} ${number}` })
  const owner = await add('owner')
  const { workspaceId } = owner
  await store.db.updateTable('users').set({ email_verified_at: 1 }).execute()
  const join = async (name: string, role: MemberRole) => {
    const { userId } = await add(name)
    const row = { workspace_id: workspaceId, user_id: userId, role, joined_at: 1 }
    await store.db.insertInto('members').values(row).execute()
    return { userId, caller: callerWithRole({ workspaceId, userId, role, name, device: 'Firefox' }) }
  }
  const other = await join('other', 'owner')
  const admin = await join('admin', role)
  const deps = depsOf({ store })
  const { id: keyId } = await issueKey(deps, other.caller, { name: 'Theirs', scopes: [] })
  await inviteMembers(deps, other.caller, { emails: [`invited${number}@example.com`], role: 'admin' })
  const { id: invitationId } = await store.db
    .selectFrom('workspace_invitations')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  await addDomain(deps, other.caller, 'there.example')
  return { store, workspaceId, admin, otherId: other.userId, keyId, invitationId }
}

type Change = (world: World, caller: SignedInCaller) => Promise<unknown>
const OF_ADMINS: Record<string, Change> = {
  [OTHERS_KEY]: (world, caller) => revokeVisibleKey(depsOf(world), caller, world.keyId),
  inviting: (world, caller) =>
    inviteMembers(depsOf(world), caller, { emails: ['accomplice@example.com'], role: 'admin' }),
  'copying an invitation': (world, caller) => copyInvitation(depsOf(world), caller, world.invitationId),
  'sending an invitation again': (world, caller) =>
    sendInvitationAgain(depsOf(world), caller, world.invitationId),
  'withdrawing an invitation': (world, caller) =>
    withdrawWorkspaceInvitation(depsOf(world), caller, world.invitationId),
  'changing a role': (world, caller) =>
    changeMemberRole(depsOf(world), caller, { userId: world.admin.userId, role: 'editor' }),
  'removing a member': (world, caller) =>
    removeMember(depsOf(world), caller, { userId: world.otherId, keepsKeys: false }),
  'renaming the workspace': (world, caller) => changeWorkspace(depsOf(world), caller, { name: 'Mine' }),
  'changing a setting': (world, caller) => changeSettings(depsOf(world), caller, { preview_pages: false }),
  'adding a domain': (world, caller) => addDomain(depsOf(world), caller, 'mine.example'),
  'editing a domain': (world, caller) =>
    editDomain(depsOf(world), caller, { name: 'there.example', edit: { home_url: 'https://evil.example/' } }),
  'verifying a domain': async (world, caller) => {
    const domain = await findDomain(depsOf(world), caller, 'there.example')
    return verifyDomain(depsOf(world), caller, domain)
  },
  'removing a domain': (world, caller) => removeDomain(depsOf(world), caller, 'there.example'),
}

const issuing: Change = (world, caller) =>
  issueKey(depsOf(world), caller, { name: 'Mine', scopes: ['links:read', 'links:write'] })

const everything = async ({ store, workspaceId }: World) =>
  Promise.all([
    ...(['workspace_invitations', 'domains', 'audit_log', 'workspace_settings'] as const).map((table) =>
      store.db.selectFrom(table).selectAll().where('workspace_id', '=', workspaceId).execute(),
    ),
    ...(['members', 'api_keys'] as const).map((table) =>
      store.db.selectFrom(table).selectAll().where('workspace_id', '=', workspaceId).execute(),
    ),
    store.db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).execute(),
  ])

const remove = ({ workspaceId, admin: { userId } }: World, db: Tx | Store['db']) =>
  db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute()

const demote = ({ workspaceId, admin: { userId } }: World, db: Tx | Store['db']) =>
  db
    .updateTable('members')
    .set({ role: 'viewer' })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
