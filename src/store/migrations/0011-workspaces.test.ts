import { afterEach, describe, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { NOON_US } from '../../../test/rigs/journal-rig.ts'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { type Engine, enginesToTest } from '../../../test/rigs/test-store.ts'
import { findKey } from '../../api-keys/find-key.ts'
import { hashKey, makeKey } from '../../api-keys/key-format.ts'
import { readBlockList } from '../../links/destinations/block-host.ts'
import { HOUR_US, manualClock } from '../../runtime/clock.ts'
import { accountByEmail, listAccounts } from '../../users/find-account.ts'
import { hashPassword } from '../../users/password/password.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'
import { resetPassword } from '../../users/password/reset-password.ts'
import { findSession } from '../../users/sign-in/session.ts'
import { signIn } from '../../users/sign-in/sign-in.ts'
import { createAccount } from '../../users/sign-up/create-account.ts'
import { hashSecret } from '../../users/tokens/secret-text.ts'
import { kyselyOf } from '../handles.ts'
import { openStore, type Store } from '../open-store.ts'

const PASSWORD = 'correct horse battery staple'
const RECOVERY_CODE = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF'
/** Accounts that there have been; the last one is gone. */
const LAST_ID = 40

const clock = manualClock(NOON_US)
const passwordHash = await hashPassword(PASSWORD)
const keys = { admin: makeKey(), plain: makeKey(), suspended: makeKey(), unverified: makeKey() }

const account = (id: number, email: string, others: object = {}) => ({
  id,
  name: `Name of ${email}`,
  email,
  password_hash: passwordHash,
  email_verified_at: NOON_US - id,
  plan: 'free',
  subscription_status: 'active',
  subscription_expires_at: null,
  created_at: NOON_US - 1_000 - id,
  role: 'user',
  rate_limit: null,
  suspended_at: null,
  closed_at: null,
  last_signed_in_at: null,
  failed_sign_ins: 0,
  totp_secret: null,
  totp_enabled_at: null,
  totp_last_step: null,
  ...others,
})

const ACCOUNTS = [
  account(1, 'admin@example.com', { role: 'admin', last_signed_in_at: NOON_US - 5 }),
  account(2, 'plain@example.com', { plan: 'pro', rate_limit: 77, subscription_expires_at: NOON_US * 2 }),
  account(5, 'unverified@example.com', { email_verified_at: null, failed_sign_ins: 3 }),
  account(9, 'suspended@example.com', { suspended_at: NOON_US - 7, subscription_status: 'past_due' }),
  account(12, 'closed 12', { name: '', password_hash: '', closed_at: NOON_US - 8 }),
  account(31, 'two-factor@example.com', {
    totp_secret: 'A'.repeat(32),
    totp_enabled_at: 3,
    totp_last_step: 4,
  }),
]
const SESSIONS = [1, 2, 9].map((id, i) => ({
  id: i * 3 + 1,
  account_id: id,
  token_hash: hashSecret(`session of ${id}`),
  device: 'Firefox on Linux',
  created_at: NOON_US - HOUR_US,
  last_used_at: NOON_US - 1,
}))
const TOKENS = [
  { purpose: 'reset-password', account_id: 2, email: 'plain@example.com', expires_at: NOON_US + HOUR_US },
  { purpose: 'passkey-sign-in', account_id: null, email: '', expires_at: NOON_US + HOUR_US },
].map((row) => ({ ...row, token_hash: hashSecret(row.purpose) }))
const RECOVERY_CODES = [{ account_id: 31, code_hash: hashSecret(`31:${RECOVERY_CODE.replaceAll('-', '')}`) }]
const PASSKEYS = [
  {
    id: 8,
    account_id: 2,
    credential_id: 'credential',
    public_key: Uint8Array.from([1, 0, 255]),
    counter: 6,
    transports: '["usb"]',
    name: 'Key ring',
    created_at: 1,
    last_used_at: null,
  },
]
const KEYS = (
  [
    [3, 1, keys.admin, null],
    [4, 2, keys.plain, null],
    [6, 9, keys.suspended, null],
    [7, 5, keys.unverified, null],
    [8, 2, makeKey(), NOON_US],
  ] as const
).map(([id, account_id, key, revoked_at]) => ({
  id,
  account_id,
  name: `Key ${id}`,
  key_hash: hashKey(key),
  key_hint: null,
  scopes: '["links:read"]',
  rate_limit: account_id === 1 ? 1_000_000_000 : null,
  window_started_at: null,
  window_requests: id,
  last_used_at: null,
  revoked_at,
  created_at: NOON_US,
}))

/** Columns that later migrations have added. */
const LATER: Record<string, string[]> = {
  users: ['suspended_at', 'last_workspace_id'],
  workspaces: ['default_domain_id', 'requires_second_factor', 'invitations_day', 'invitations_of_day'],
  sessions: ['workspace_id', 'confirmed_at'],
  api_keys: ['restrictions', 'links_day', 'links_of_day'],
}

async function fill(db: Kysely<any>, engine: Engine): Promise<void> {
  await db
    .insertInto('accounts')
    .values([...ACCOUNTS, account(LAST_ID, 'gone@example.com')])
    .execute()
  await db.deleteFrom('accounts').where('id', '=', LAST_ID).execute()
  await db.insertInto('sessions').values(SESSIONS).execute()
  await db.insertInto('single_use_tokens').values(TOKENS).execute()
  await db.insertInto('recovery_codes').values(RECOVERY_CODES).execute()
  await db.insertInto('passkeys').values(PASSKEYS).execute()
  await db.insertInto('api_keys').values(KEYS).execute()
  await db.insertInto('api_usage_days').values({ account_id: 2, day: 20_000, requests: 4 }).execute()
  await db
    .insertInto('account_link_counts')
    .values({ account_id: 2, shard: 0, links: 1, active_links: 1 })
    .execute()
  if (engine === 'postgres') {
    // It counts only the ids that it gives itself.
    const last = { accounts: LAST_ID, sessions: 7, passkeys: 8, api_keys: 8 }
    for (const [table, id] of Object.entries(last))
      await sql`SELECT setval(${`${table}_id_seq`}, ${id})`.execute(db)
  }
}

const folders = temporaryFolders()
let store: Store

afterEach(async () => {
  await store.close()
  folders.remove()
})

describe.each(enginesToTest('the split of accounts'))('on %s', (engine) => {
  async function migrated(): Promise<Store> {
    const place = { dataDir: folders.make(), engine, migration: 'workspaces' }
    store = await openStore(await makeStoreBefore(place, (db) => fill(db, engine)), 'same-thread')
    return store
  }

  const rowsOf = async (table: string, order = 'id') => {
    const rows: Record<string, unknown>[] = await kyselyOf(store.db)
      .selectFrom(table as 'users')
      .selectAll()
      .orderBy(order as 'id')
      .execute()
    for (const row of rows) for (const column of LATER[table] ?? []) delete row[column]
    return rows
  }

  test('each account is a user and a workspace with all of its values, and nothing else is changed', async () => {
    await migrated()
    const [users, workspaces] = [await rowsOf('users'), await rowsOf('workspaces')]
    expect(users.map((user, i) => ({ ...workspaces[i], ...user }))).toEqual(ACCOUNTS)
    expect(workspaces.map(({ id }) => id)).toEqual(ACCOUNTS.map(({ id }) => id))
    const open = ACCOUNTS.filter(({ closed_at }) => closed_at === null)
    expect(await rowsOf('members', 'workspace_id')).toEqual(
      open.map(({ id, created_at }) => ({
        workspace_id: id,
        user_id: id,
        role: 'owner',
        joined_at: created_at,
      })),
    )
    const owned = <Row extends { account_id: number | null }>(rows: Row[]) =>
      rows.map(({ account_id, ...row }) => ({ ...row, user_id: account_id }))
    expect(await rowsOf('sessions')).toEqual(owned(SESSIONS))
    expect(await rowsOf('single_use_tokens', 'purpose')).toEqual(owned(TOKENS).reverse())
    expect(await rowsOf('recovery_codes', 'user_id')).toEqual(owned(RECOVERY_CODES))
    const passkeys = await rowsOf('passkeys')
    expect(passkeys.map((row) => ({ ...row, public_key: new Uint8Array(row.public_key as Buffer) }))).toEqual(
      owned(PASSKEYS),
    )
    expect(await rowsOf('api_keys')).toEqual(
      KEYS.map(({ account_id: id, ...key }) => ({ ...key, workspace_id: id, user_id: id, is_kept: 0 })),
    )
    expect(await rowsOf('api_usage_days', 'day')).toEqual([{ account_id: 2, day: 20_000, requests: 4 }])
    expect(await readBlockList(store.db)).toMatchObject({ workspaceIds: [9], closedWorkspaceIds: [12] })
  })

  test('users sign in with their passwords, sessions and keys go on, and mailed links are still good', async () => {
    const { db, relaxedDb } = await migrated()
    const deps = {
      ...{ db, relaxedDb, clock, passwords: new PasswordQueue(), baseUrl: 'https://s.example' },
      ...{ mails: { post() {} }, config: { oidcOnly: false } },
    }
    const enter = (email: string, code?: string, password = PASSWORD) =>
      signIn(deps, { email, password, code, device: '' }).catch((error: Error) => error.message)
    expect(await enter('admin@example.com')).toEqual({ token: expect.any(String) })
    expect(await enter('unverified@example.com')).toEqual({ token: expect.any(String) })
    expect(await enter('two-factor@example.com')).toBe('needs-code')
    expect(await enter('two-factor@example.com', RECOVERY_CODE)).toEqual({ token: expect.any(String) })
    expect(await enter('suspended@example.com')).toBe('The operator has suspended this account.')
    const session = await findSession({ db, relaxedDb, clock }, { token: 'session of 1' })
    expect(session).toMatchObject({ userId: 1, workspaceId: 1, memberRole: 'owner', role: 'admin' })
    expect(await findSession({ db, relaxedDb, clock }, { token: 'session of 9' })).toBeUndefined()
    const found = async (key: string) => findKey({ db }, key)
    const plain = { workspaceId: 2, userId: 2, rateLimit: 77, isEmailVerified: true }
    expect(await found(keys.plain)).toMatchObject(plain)
    expect(await found(keys.admin)).toMatchObject({ userId: 1, rateLimit: 1_000_000_000 })
    expect(await found(keys.unverified)).toMatchObject({ isEmailVerified: false })
    expect(await found(keys.suspended)).toMatchObject({ isSuspended: true })
    const password = 'an altogether other horse'
    await resetPassword(deps, { token: 'reset-password', password })
    expect(await enter('plain@example.com', undefined, password)).toEqual({ token: expect.any(String) })
    expect((await accountByEmail(db, 'plain@example.com')).plan).toBe('pro')
    expect((await listAccounts(db)).map(({ userId }) => userId)).toEqual([1, 2, 5, 9, 31])
  })

  test('ids of accounts that are gone are given to no user and to no workspace', async () => {
    const { db } = await migrated()
    const made = await createAccount(
      { db, clock },
      { name: 'New', email: 'new@example.com', password: PASSWORD, isVerified: true },
    )
    expect(made).toMatchObject({ userId: LAST_ID + 1, workspaceId: LAST_ID + 1, role: 'user', plan: 'free' })
  })

  if (engine === 'sqlite') {
    test('every reference leads to a row, and SQLite sees to it again', async () => {
      const { db } = await migrated()
      const broken = await sql`PRAGMA foreign_key_check`.execute(kyselyOf(db))
      expect(broken.rows).toEqual([])
      const orphan = { user_id: 999, token_hash: 'x', device: '', created_at: 1, last_used_at: 1 }
      const refused = db.insertInto('sessions').values(orphan).execute()
      await expect(refused).rejects.toThrow('FOREIGN KEY constraint failed')
    })
  }
})
