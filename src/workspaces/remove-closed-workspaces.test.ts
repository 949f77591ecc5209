import { transact } from '../store/transact.ts'
import { expect, test } from 'bun:test'
import { GOOD, useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { issueKey } from '../api-keys/issue-key.ts'
import { MINUTE_US } from '../runtime/clock.ts'
import { makeRecoveryCodes } from '../users/second-factor/recovery-codes.ts'
import { removeClosedUsers } from '../users/profile/remove-closed-users.ts'
import { removeClosedWorkspaces } from './remove-closed-workspaces.ts'
import { startSession } from '../users/sign-in/session.ts'
import { issueToken } from '../users/tokens/single-use-token.ts'
import { aFact, insertFacts } from '../../test/rigs/clicks/fact-rows.ts'
import { NO_DOMAIN } from '../links/domains/domain-hosts.ts'
import { Domains, NOBODY } from '../links/domains/domains.ts'
import { readDomains } from '../links/domains/read-domains.ts'

const rig = useAccountRig()

const COUNTS = { clicks: 1, visitors: 1, bots: 0 }

test('what came into a closed account while it was closed does not keep it from being removed', async () => {
  const account = await rig.makeAccount()
  const { workspaceId, userId } = account
  await close(workspaceId)
  await rig.db.updateTable('users').set({ closed_at: NOON_US }).execute()
  await startSession(rig.deps, { userId, device: '' })
  await issueToken(rig.deps, { purpose: 'reset-password', userId })
  await transact(rig.db, (tx) => makeRecoveryCodes(tx, userId))
  await issueKey(rig.deps, account, { name: 'Key', scopes: [] })
  const passkey = { credential_id: 'x', public_key: new Uint8Array(1), counter: 0, transports: '[]' }
  await rig.db
    .insertInto('passkeys')
    .values({ ...passkey, user_id: userId, name: '', created_at: 1, last_used_at: null })
    .execute()
  // In a workspace that goes on.
  const view = { name: 'View', query: '', is_shared: 1, created_at: 1 }
  await rig.db
    .insertInto('saved_views')
    .values({ ...view, workspace_id: workspaceId + 1, user_id: userId })
    .execute()
  const report = { frequency: 'weekly', timezone: 'UTC', reported_to: 1, due_at: 1, secret: '' }
  await rig.db
    .insertInto('email_reports')
    .values({ ...report, workspace_id: workspaceId + 1, user_id: userId })
    .execute()
  await remove()
  expect([await rig.users(), await rig.workspaces()]).toEqual([[], []])
  for (const table of [
    'sessions',
    'single_use_tokens',
    'recovery_codes',
    'api_keys',
    'passkeys',
    'members',
    'saved_views',
    'email_reports',
  ] as const)
    expect(await rig.db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('of several closed accounts all clicks and counters go; those of others stay', async () => {
  const ids = []
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
    ids.push((await rig.makeAccount({ ...GOOD, email })).workspaceId)
  for (const id of ids) {
    const counts = { ...COUNTS, workspace_id: id, last_clicked_at: null }
    await rig.db.insertInto('workspace_totals').values(counts).execute()
    await rig.db
      .insertInto('link_totals')
      .values({ ...counts, link_id: id * 10 })
      .execute()
    await rig.db
      .insertInto('codes')
      .values({ code: `code-${id}`, workspace_id: id })
      .execute()
    await insertFacts(rig.relaxedDb, [aFact({ link_id: id * 10, workspace_id: id })])
    const share = { secret: `secret ${id}`, secret_hash: `hash ${id}`, panels: '[]', created_at: 1 }
    await rig.db
      .insertInto('shares')
      .values({ ...share, workspace_id: id, link_id: id * 10 })
      .execute()
    for (const day of [1, 400]) {
      for (const dimension of ['total', 'country'])
        await rig.db
          .insertInto('workspace_hours')
          .values({ ...COUNTS, workspace_id: id, dimension, hour: day * 24, value: '' })
          .execute()
    }
  }
  const [first, second, third] = ids as [number, number, number]
  await close(first)
  await close(third)
  await remove()
  expect((await rig.workspaces()).map(({ id }) => id)).toEqual([second])
  for (const table of ['workspace_totals', 'workspace_hours', 'clicks', 'shares'] as const) {
    const rows = await rig.db.selectFrom(table).select('workspace_id').distinct().execute()
    expect(rows.map((row) => row.workspace_id)).toEqual([second])
  }
  const totals = await rig.db.selectFrom('link_totals').select('link_id').execute()
  expect(totals.map((row) => row.link_id)).toEqual([second * 10])
  const codes = await rig.db.selectFrom('codes').selectAll().orderBy('code').execute()
  expect(codes.map((row) => row.workspace_id)).toEqual([null, second, null])
})

test('the hosts of its domains are refused from the moment it is closed, and codes opened there go; not those it has never proven to be its own', async () => {
  const { workspaceId } = await rig.makeAccount()
  const own = { workspace_id: workspaceId, home_url: 'https://example.com/' }
  await rig.db
    .insertInto('domains')
    .values([
      { ...own, name: 'printed.example', host: 'printed.example', verified_at: 1 },
      { ...own, name: 'second-name.example', host: null, verified_at: null },
    ])
    .execute()
  const { id: domainId } = await rig.db
    .selectFrom('domains')
    .select('id')
    .where('host', 'is not', null)
    .executeTakeFirstOrThrow()
  const opened = { domain_id: domainId, day: 1, code: 'ann-smith', visits: 1 }
  const ofOther = { ...opened, domain_id: domainId + 100 }
  await rig.db.insertInto('not_found_codes').values([opened, ofOther]).execute()
  const domains = new Domains({ baseUrl: 'https://tern.example', unknownHosts: 'serve' })
  async function hosts() {
    domains.replace(await readDomains(rig.db))
    return ['printed.example', 'second-name.example'].map((host) => domains.idOf(host))
  }
  expect(await hosts()).toEqual([expect.any(Number), 0])
  expect(domains.serves('printed.example')).toBe(true)
  await close(workspaceId)
  expect(await hosts()).toEqual([NO_DOMAIN, 0])
  expect(domains.serves('printed.example')).toBe(false)
  await remove()
  expect(await hosts()).toEqual([NO_DOMAIN, 0])
  const rows = rig.db.selectFrom('domains').select(['workspace_id', 'name', 'host', 'home_url'])
  const nothing = { workspace_id: null, host: null, home_url: null }
  expect(await rows.where('id', '<>', 0).orderBy('id').execute()).toEqual([
    { ...nothing, name: 'printed.example' },
    { ...nothing, name: '' },
  ])
  expect((await readDomains(rig.db)).map((domain) => domain.workspaceId)).toEqual([NOBODY])
  expect(await rig.db.selectFrom('not_found_codes').selectAll().execute()).toEqual([ofOther])
})

const close = (workspaceId: number) =>
  rig.db.updateTable('workspaces').set({ closed_at: NOON_US }).where('id', '=', workspaceId).execute()

async function remove(): Promise<void> {
  rig.clock.advance(2 * MINUTE_US)
  await removeClosedWorkspaces({ db: rig.relaxedDb, clock: rig.clock })
  await removeClosedUsers(rig.relaxedDb, rig.clock)
}
