import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { callerWithRole, COMMAND_LINE } from '../../../src/access/caller.ts'
import { suspendWorkspace } from '../../../src/operator/suspend-workspace.ts'
import { DAY_US, systemClock } from '../../../src/runtime/clock.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { transact } from '../../../src/store/transact.ts'
import { newInvitationToken } from '../../../src/users/members/invitation-token.ts'
import { acceptInvitation } from '../../../src/users/members/join-workspace.ts'
import { startSession } from '../../../src/users/sign-in/session.ts'
import { hashSecret } from '../../../src/users/tokens/secret-text.ts'
import { lockWorkspace } from '../../../src/workspaces/close-workspace.ts'
import { addAccount } from '../../rigs/service/add-account.ts'
import { hasFollower } from '../../rigs/store/lock-wait.ts'
import { lacksPostgres } from '../../rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { openTestStore } from '../../rigs/store/test-store.ts'

// SQLite runs one writing transaction at a time.
const isMissing = lacksPostgres('suspending while joining')
const folders = temporaryFolders()
let accounts = 0

describe.skipIf(isMissing)('a workspace that is suspended while somebody joins', () => {
  let store: Store
  let workspaceId: number
  let joiner: { userId: number; email: string }

  beforeAll(openWithOperator)
  afterAll(closeAll)
  beforeEach(addJoiner)

  test('signs out a member who has joined just before', async () => {
    const { userId } = joiner
    await startSession({ db: store.db, clock }, { userId, device: '' })
    let suspending: Promise<void> | undefined
    await transact(store.db, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      const joined = { workspace_id: workspaceId, user_id: userId, role: 'editor', joined_at: 1 }
      await tx.insertInto('members').values(joined).execute()
      suspending = suspend()
      await hasFollower(tx)
    })
    await suspending
    const sessions = store.db.selectFrom('sessions').select('id').where('user_id', '=', userId)
    expect(await sessions.execute()).toEqual([])
  })

  test('takes nobody in just after', async () => {
    const { userId, email } = joiner
    const token = newInvitationToken('mailed')
    const nowUs = clock.nowUs()
    const invitation = { workspace_id: workspaceId, email, role: 'editor', token_hash: hashSecret(token) }
    await store.db
      .insertInto('workspace_invitations')
      .values({ ...invitation, invited_by: null, created_at: nowUs, expires_at: nowUs + DAY_US })
      .execute()
    const caller = callerWithRole({ workspaceId: 0, userId, role: 'viewer', name: '', device: '' })
    let accepting: Promise<unknown> | undefined
    await transact(store.db, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      const suspended = tx.updateTable('workspaces').set({ suspended_at: nowUs })
      await suspended.where('id', '=', workspaceId).execute()
      accepting = acceptInvitation({ db: store.db, clock }, caller, token).catch(
        (error: Error) => error.message,
      )
      await hasFollower(tx)
    })
    expect(await accepting).toBe('This invitation was already used or has expired. Ask for a new one.')
  })

  async function openWithOperator(): Promise<void> {
    store = await openTestStore(folders.make(), 'postgres')
    await addAccount(store.db, { email: 'operator@example.com', role: 'admin' })
  }

  async function closeAll(): Promise<void> {
    await store.close()
    folders.remove()
  }

  async function addJoiner(): Promise<void> {
    const { db } = store
    workspaceId = (await addAccount(db, { email: `owner${++accounts}@example.com` })).workspaceId
    const email = `joiner${accounts}@example.com`
    const { userId, workspaceId: own } = await addAccount(db, { email })
    await db.deleteFrom('members').where('workspace_id', '=', own).execute()
    joiner = { userId, email }
  }

  const suspend = () =>
    suspendWorkspace(
      { db: store.db, clock, redirectState: { changed: async () => {} } },
      COMMAND_LINE,
      workspaceId,
    )
})

const clock = systemClock
