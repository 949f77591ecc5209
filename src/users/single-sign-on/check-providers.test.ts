import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { oidcProviders } from '../../config/oidc-providers.ts'
import { jsonLog } from '../../runtime/log.ts'
import { transact } from '../../store/transact.ts'
import { checkProviders } from './check-providers.ts'
import { applyGroupRoles } from './group-roles.ts'

const store = useTestStore()
let server: ReturnType<typeof Bun.serve>
let lines: string[] = []
beforeEach(startServer)
afterEach(() => server.stop(true))
const log = jsonLog('info', 'test', (line) => void lines.push(line))

test('the log at the start names a role that nobody gets and an issuer that differs, and names are bound', async () => {
  const { workspaceId } = await addStaff()
  await checkProviders({ db: store.db, log }, providersOf('/realms/b'))
  expect(logged()).toEqual([
    expect.objectContaining(NOBODY),
    expect.objectContaining({
      message: 'Users cannot sign in with a provider.',
      provider: 'a',
      issuer: `${origin()}/realms/b`,
      reason: `OIDC_PROVIDERS has the issuer "${origin()}/realms/b", and the provider calls itself "${origin()}/realms/a". Set "issuer" in OIDC_PROVIDERS to exactly what the provider says.`,
    }),
  ])
  const bound = await store.db.selectFrom('group_workspaces').selectAll().execute()
  expect(bound).toEqual([{ name: 'Staff', workspace_id: workspaceId }])
})

test('settings that are right log nothing but that', async () => {
  await addStaff()
  await checkProviders({ db: store.db, log }, providersOf('/realms/a'))
  expect(logged()).toEqual([expect.objectContaining(NOBODY)])
})

test('a sign-in logs a role that its user does not get, and gives the others', async () => {
  const { workspaceId } = await addStaff()
  const user = await addAccount(store.db, { email: 'bob@example.com' })
  const [provider] = providersOf('/realms/a')
  const groups = ['Staff', 'Nobody', 'other']
  await transact(store.db, (tx) =>
    applyGroupRoles(tx, log, {
      userId: user.userId,
      email: 'bob@example.com',
      groups,
      provider: provider!,
      nowUs: 7,
    }),
  )
  expect(logged()).toEqual([expect.objectContaining(NOBODY)])
  const roles = await store.db
    .selectFrom('members')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', user.userId)
    .execute()
  expect(roles).toEqual([{ role: 'editor' }])
})

function startServer(): void {
  lines = []
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ issuer: `${origin()}/realms/a` }),
  })
}

const origin = () => `http://127.0.0.1:${server.port}`
const logged = () => lines.map((line) => JSON.parse(line))

function providersOf(path: string) {
  const group_roles = ['Staff', 'Nobody'].map((workspace) => ({
    group: workspace,
    workspace,
    role: 'editor',
  }))
  const setting = { id: 'a', name: 'Login', issuer: `${origin()}${path}`, client_id: 'tern', group_roles }
  return oidcProviders.read(JSON.stringify([setting]))!
}

const NOBODY = {
  level: 'warn',
  message: 'Nobody gets the role of this group.',
  provider: 'a',
  group: 'Nobody',
  reason: 'There is no workspace with the name "Nobody". Use the ID of the workspace in OIDC_PROVIDERS.',
}

async function addStaff() {
  const account = await addAccount(store.db, { email: 'ann@example.com' })
  await store.db
    .updateTable('workspaces')
    .set({ name: 'Staff' })
    .where('id', '=', account.workspaceId)
    .execute()
  return account
}
