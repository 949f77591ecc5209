import { afterEach, expect, test } from 'bun:test'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { oidcProviders } from '../config/oidc-providers.ts'
import { checkSingleSignOn } from './check-single-sign-on.ts'

const store = useTestStore()
let server: ReturnType<typeof Bun.serve> | undefined
afterEach(() => server?.stop(true))

const CHECK = 'single sign-on'

test('without providers there is nothing to say', async () => {
  expect(await checkSingleSignOn(store.readDb, [])).toEqual([])
})

test('providers and group roles that work are fine', async () => {
  const id = await addWorkspace('Staff')
  expect(await findings([{ group: 'staff', workspace: id, role: 'editor' }])).toEqual([
    { check: CHECK, severity: 'ok', message: 'Users can sign in with Login.' },
  ])
})

test('an issuer that differs is a fault that names both', async () => {
  const [finding, ...others] = await findings([], '/')
  const origin = `http://127.0.0.1:${server!.port}`
  expect(others).toEqual([])
  expect(finding).toEqual({
    check: CHECK,
    severity: 'fault',
    message: `Login: OIDC_PROVIDERS has the issuer "${origin}/realms/a/", and the provider calls itself "${origin}/realms/a". Set "issuer" in OIDC_PROVIDERS to exactly what the provider says.`,
  })
})

test('group roles that nobody gets are faults, and names of workspaces are warnings', async () => {
  const id = await addWorkspace('Staff')
  await addWorkspace('Twins')
  await addWorkspace('Twins')
  const role = 'editor'
  const found = await findings([
    { group: 'one', workspace: 'Staff', role },
    { group: 'two', workspace: 'Twins', role },
    { group: 'three', workspace: 'None', role },
    { group: 'four', workspace: 4_000, role },
  ])
  const id2 = id + 1
  expect(found.map(({ severity, message }) => [severity, message])).toEqual([
    [
      'warning',
      `Login: the group "one" gives a role in "Staff", the workspace with the ID ${id}. Use the ID, because anyone can give a workspace that name.`,
    ],
    [
      'fault',
      `Login: Several workspaces have the name "Twins" (IDs ${id2}, ${id2 + 1}), so the group "two" does not give the role editor. Use the ID of the workspace in OIDC_PROVIDERS.`,
    ],
    [
      'fault',
      'Login: There is no workspace with the name "None", so the group "three" does not give the role editor. Use the ID of the workspace in OIDC_PROVIDERS.',
    ],
    [
      'fault',
      'Login: There is no workspace with the ID 4000, so the group "four" does not give the role editor. Use the ID of the workspace in OIDC_PROVIDERS.',
    ],
  ])
})

async function findings(groupRoles: object[] = [], path = '') {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ issuer: `http://127.0.0.1:${server!.port}/realms/a` }),
  })
  const issuer = `http://127.0.0.1:${server.port}/realms/a${path}`
  const setting = { id: 'a', name: 'Login', issuer, client_id: 'tern', group_roles: groupRoles }
  return checkSingleSignOn(store.readDb, oidcProviders.read(JSON.stringify([setting]))!)
}

async function addWorkspace(name: string): Promise<number> {
  const row = { name, plan: 'free', subscription_status: 'active', created_at: 1 }
  const { id } = await store.db
    .insertInto('workspaces')
    .values({ ...row, subscription_expires_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
