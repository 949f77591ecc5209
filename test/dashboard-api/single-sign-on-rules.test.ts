import { describe, expect, test } from 'bun:test'
import { accountByEmail } from '../../src/users/find-account.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { startSingleSignOnRig } from '../rigs/outside/oidc-server.ts'
import { comeBack, finish, link, newAccount, signInWith } from '../rigs/outside/provider-sign-in.ts'
import { useRig } from '../rigs/use-rig.ts'

describe('where sign-up needs an invitation', () => {
  const rig = useRig(() => startSingleSignOnRig({ email_domains: ['example.com'] }, { SIGNUP: 'invite' }))

  const inviteByOperator = (email: string) =>
    rig.store.db
      .insertInto('invitations')
      .values({ email, token_hash: email, created_at: 1, expires_at: Date.now() * 1000 + 60_000_000 })
      .execute()

  test('only invited users are created, and only of the allowed domains', async () => {
    const account = newAccount()
    const uninvited = await signInWith(rig, rig.browser(), account)
    expect({ status: uninvited.status, message: uninvited.body.message }).toEqual({
      status: 403,
      message: `Sign-up needs an invitation, and there is none for ${account.email}. Ask the operator.`,
    })
    await inviteByOperator(account.email)
    expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)
    expect(await rig.store.db.selectFrom('invitations').selectAll().execute()).toEqual([])

    const outside = newAccount({ email: 'ann@example.com.evil.example' })
    await inviteByOperator(outside.email)
    expect((await signInWith(rig, rig.browser(), outside)).body.message).toBe(
      'Email addresses at example.com.evil.example cannot sign in with Test provider.',
    )
  })

  test('a pending invitation into a workspace is enough', async () => {
    const { db } = rig.store
    const owner = newAccount()
    await inviteByOperator(owner.email)
    await signInWith(rig, rig.browser(), owner)
    const { userId, workspaceId } = await accountByEmail(db, owner.email)
    const invited = newAccount()
    const expired = newAccount()
    const nowUs = Date.now() * 1000
    for (const [account, expiresAt] of [
      [invited, nowUs + 60_000_000],
      [expired, nowUs - 1],
    ] as const)
      await db
        .insertInto('workspace_invitations')
        .values({
          workspace_id: workspaceId,
          email: account.email,
          role: 'editor',
          invited_by: userId,
          token_hash: account.sub,
          created_at: nowUs,
          expires_at: expiresAt,
        })
        .execute()
    expect((await signInWith(rig, rig.browser(), invited)).status).toBe(200)
    expect((await signInWith(rig, rig.browser(), expired)).status).toBe(403)
  })
})

describe('where single sign-on is the only way', () => {
  const OPERATOR = newAccount({ email: 'operator@example.com' })
  const rig = useRig(async () => {
    const started = await startSingleSignOnRig({}, { OIDC_ONLY: '1' })
    // The first user is the operator.
    await signInWith(started, started.browser(), OPERATOR)
    return started
  })

  /** With the emailed link, which everybody can request. */
  async function setPassword(email: string): Promise<void> {
    const browser = rig.browser()
    await browser.succeed('POST', '/forgot-password', { email })
    const { token } = await rig.mailTo(email)
    await browser.succeed('POST', '/reset-password', { token, password: PASSWORD })
    expect((await rig.mailTo(email)).subject).toContain('password')
  }

  const ONLY = 'This server takes single sign-on only. Continue with your provider.'

  test('nobody signs up with a password, and only operators sign in with one', async () => {
    const input = { name: 'Eve', email: 'eve@example.com', password: PASSWORD }
    expect((await rig.browser().request('POST', '/sign-up', input)).body.message).toBe(ONLY)
    const account = newAccount()
    expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)
    await setPassword(account.email)
    const withPassword = (email: string, password = PASSWORD) =>
      rig.browser().request('POST', '/session', { email, password })
    const refused = await withPassword(account.email)
    expect({ status: refused.status, message: refused.body.message }).toEqual({ status: 403, message: ONLY })
    expect((await withPassword(account.email, 'a wrong password')).status).toBe(422)
    await setPassword('operator@example.com')
    expect((await withPassword('operator@example.com')).status).toBe(200)
  })

  test('the last identity cannot be unlinked, except by operators', async () => {
    const [browser, account] = [rig.browser(), newAccount()]
    await signInWith(rig, browser, account)
    for (const email of [account.email, OPERATOR.email]) await setPassword(email)
    await signInWith(rig, browser, account)
    const unlink = { issuer: rig.provider.issuer, password: PASSWORD }
    const refused = await browser.request('DELETE', '/identities', unlink)
    expect({ status: refused.status, message: refused.body.message }).toEqual({
      status: 409,
      message: 'You could not sign in any more. Link another account first.',
    })
    expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)

    const operator = rig.browser()
    await signInWith(rig, operator, OPERATOR)
    await operator.succeed('DELETE', '/identities', unlink)
  })
})

describe('groups of the provider', () => {
  const rig = useRig(() =>
    startSingleSignOnRig({
      scopes: ['groups'],
      email_verified_claim: 'xms_edov',
      group_roles: [
        { group: 'marketing', workspace: 'Marketing', role: 'viewer' },
        { group: 'leads', workspace: 'Marketing', role: 'admin' },
        { group: 'marketing', workspace: 'No such workspace', role: 'admin' },
      ],
    }),
  )

  const memberIn = async (workspaceId: number, email: string) => {
    const { userId } = await accountByEmail(rig.store.db, email)
    const rows = await rig.store.db
      .selectFrom('members')
      .select('role')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute()
    return rows.map(({ role }) => role)
  }

  test('give roles in workspaces at each sign-in; owners stay owners, and nobody is removed', async () => {
    const owner = await rig.user()
    const { id } = await owner.browser.succeed('POST', '/workspaces', { name: 'Marketing' })
    const account = newAccount({ xms_edov: '1', email_verified: undefined })
    const enter = async (groups: unknown) =>
      expect((await signInWith(rig, rig.browser(), { ...account, groups })).status).toBe(200)
    await enter(['other'])
    expect(await memberIn(id, account.email)).toEqual([])
    await enter(['marketing', 'leads'])
    expect(await memberIn(id, account.email)).toEqual(['admin'])
    await enter('marketing')
    expect(await memberIn(id, account.email)).toEqual(['viewer'])
    await enter([])
    expect(await memberIn(id, account.email)).toEqual(['viewer'])

    const own = newAccount({ xms_edov: true, groups: ['marketing'] })
    await link(rig, owner, own)
    expect((await signInWith(rig, rig.browser(), own)).status).toBe(200)
    expect(await memberIn(id, owner.email)).toEqual(['owner'])
    const log = await rig.store.db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'client', 'changes'])
      .where('workspace_id', '=', id)
      .where('target', '=', account.email)
      .orderBy('id')
      .execute()
    const by = { actor: account.email, client: 'Test provider' }
    expect(log).toEqual([
      { action: 'member.joined', ...by, changes: '{"role":{"from":null,"to":"admin"}}' },
      { action: 'member.updated', ...by, changes: '{"role":{"from":"admin","to":"viewer"}}' },
    ])
  })
})

describe('a group role by the name of a workspace', () => {
  const rig = useRig(() =>
    startSingleSignOnRig({
      scopes: ['groups'],
      group_roles: [
        { group: 'leads', workspace: 'Leads', role: 'admin' },
        { group: 'staff', workspace: 'Leads', role: 'viewer' },
        { group: 'twins', workspace: 'Twins', role: 'admin' },
      ],
    }),
  )

  const rolesOf = async (account: { email: string }) => {
    const { userId } = await accountByEmail(rig.store.db, account.email)
    const rows = await rig.store.db
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select(['workspaces.id', 'members.role'])
      .where('user_id', '=', userId)
      .where('members.role', '!=', 'owner')
      .execute()
    return rows
  }
  const enter = async (account: ReturnType<typeof newAccount>, groups: string[]) => {
    expect((await signInWith(rig, rig.browser(), { ...account, groups })).status).toBe(200)
    return rolesOf(account)
  }

  test('is neither redirected nor stopped by strangers who take the name', async () => {
    const stranger = await rig.user()
    const owner = await rig.user()
    const { id } = await owner.browser.succeed('POST', '/workspaces', { name: 'Leads' })
    const account = newAccount()
    expect(await enter(account, ['leads'])).toEqual([{ id, role: 'admin' }])
    await stranger.browser.succeed('PUT', '/workspace', { name: 'Leads' })
    expect(await enter(newAccount(), ['leads'])).toEqual([{ id, role: 'admin' }])
    expect(await enter(account, ['staff'])).toEqual([{ id, role: 'viewer' }])
    await rig.store.db.updateTable('workspaces').set({ name: 'Other' }).where('id', '=', id).execute()
    expect(await enter(account, ['leads'])).toEqual([{ id, role: 'admin' }])
  })

  test('is given in no workspace while several have the name', async () => {
    for (const owner of [await rig.user(), await rig.user()])
      await owner.browser.succeed('PUT', '/workspace', { name: 'Twins' })
    expect(await enter(newAccount(), ['twins'])).toEqual([])
  })
})

test('a provider that cannot be reached is named', async () => {
  const rig = await startSingleSignOnRig()
  try {
    const browser = rig.browser()
    const query = await comeBack(rig, browser, newAccount())
    await rig.provider.stop()
    const answers = [
      await browser.request('POST', '/session/provider', { provider: 'test' }),
      await finish(browser, query),
    ]
    for (const { status, body, headers } of answers) {
      expect({ status, message: body.message }).toEqual({
        status: 503,
        message: 'Test provider cannot be reached at the moment. Try again in a few seconds.',
      })
      expect(headers.get('retry-after')).toBe('10')
    }
  } finally {
    await rig.stop()
  }
})

test('a provider that answers with too much is not read to its end', async () => {
  const rig = await startSingleSignOnRig()
  try {
    const browser = rig.browser()
    const query = await comeBack(rig, browser, newAccount())
    rig.provider.lie = (claims) => ({
      ...claims,
      groups: Array.from({ length: 20_000 }, (_, at) => `group ${at}`),
    })
    expect((await finish(browser, query)).status).toBe(503)
    expect(browser.isSignedIn).toBe(false)
  } finally {
    await rig.stop()
  }
})
