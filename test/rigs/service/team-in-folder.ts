import { expect } from 'bun:test'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { hashSecret } from '../../../src/users/tokens/secret-text.ts'
import { KeepAliveClient } from '../http/keep-alive-client.ts'
import { asAnother, type OperatedFolder } from '../program/operated-folder.ts'
import { runTern } from '../program/server-process.ts'
import { PASSWORD } from './add-user.ts'

const HOST = 'go.example'
const YEAR_US = 365 * 86_400_000_000

/** A workspace with all that teams have: a domain, a member, an invitation, an identity, a restricted key, and its audit log. */
export type Team = { folder: OperatedFolder; member: OperatedFolder; restrictedKey: string }

/** Before a server runs on the folder. The links come with `makeTeamLinks`. */
export async function addTeam(folder: OperatedFolder): Promise<Team> {
  const member = await asAnother(folder, 'member@example.com')
  const { workspaceId, userId, settings } = folder
  const store = await openStore(
    { dataDir: settings.DATA_DIR, databaseUrl: settings.DATABASE_URL },
    'same-thread',
  )
  const { db } = store
  const nowUs = systemClock.nowUs()
  const domain = { workspace_id: workspaceId, created_at: nowUs, verified_at: nowUs }
  await db
    .insertInto('domains')
    .values({ ...domain, host: HOST, name: HOST, home_url: 'https://example.com/home' })
    .execute()
  await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, user_id: member.userId, role: 'editor', joined_at: nowUs })
    .execute()
  const invited = { email: 'guest@example.com', role: 'viewer', token_hash: hashSecret('a-token') }
  await db
    .insertInto('workspace_invitations')
    .values({
      ...invited,
      workspace_id: workspaceId,
      invited_by: userId,
      created_at: nowUs,
      expires_at: nowUs + YEAR_US,
    })
    .execute()
  await db
    .insertInto('user_identities')
    .values({
      issuer: 'https://login.example',
      subject: 'member-1',
      user_id: member.userId,
      email: member.email,
      created_at: nowUs,
      last_used_at: nowUs,
    })
    .execute()
  await store.close()
  const words = [
    'key',
    'create',
    folder.email,
    '--domain',
    HOST,
    '--prefix',
    'shop-',
    '--name',
    'Shop',
    '--json',
  ]
  const { output, complaints } = await runTern([...words, '--scope', 'links:create'], settings)
  expect(complaints).toBe('')
  return { folder, member, restrictedKey: JSON.parse(output).key }
}

const newLink = (code: string, domain: string, key: string) => ({
  method: 'POST',
  path: '/api/links',
  headers: { 'X-API-Key': key },
  body: { original_url: `https://example.com/of-${domain}`, custom_code: code, domain },
})

/** On a server: the same code on both domains. */
export async function makeTeamLinks({ folder }: Team): Promise<void> {
  for (const domain of [HOST, 'localhost'])
    expect((await ask(folder, newLink('same', domain, folder.key))).status).toBe(201)
}

/** On another server with the same store: everything of the team works. `code` is one that nobody has. */
export async function expectTeamWorks({ folder, member, restrictedKey }: Team, code: string): Promise<void> {
  const visit = async (host: string, path: string) => {
    const { status, headers } = await ask(folder, { method: 'GET', path, headers: { Host: host } })
    return [status, headers.location]
  }
  expect(await visit(HOST, '/same')).toEqual([302, `https://example.com/of-${HOST}`])
  expect(await visit('localhost', '/same')).toEqual([302, 'https://example.com/of-localhost'])
  expect(await visit(HOST, '/')).toEqual([302, 'https://example.com/home'])

  const own = { 'Sec-Fetch-Site': 'same-origin' }
  const body = { email: member.email, password: PASSWORD }
  const signedIn = await ask(folder, { method: 'POST', path: '/dashboard/api/session', body, headers: own })
  expect(signedIn.status).toBe(200)
  const Cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  const session = await ask(folder, {
    method: 'GET',
    path: '/dashboard/api/session',
    headers: { ...own, Cookie },
  })
  expect(JSON.parse(session.body).data.workspaces).toContainEqual(
    expect.objectContaining({ id: folder.workspaceId, role: 'editor', members: 2 }),
  )

  expect((await ask(folder, newLink(`shop-${code}`, HOST, restrictedKey))).status).toBe(201)
  const refused = [newLink(code, HOST, restrictedKey), newLink(`shop-${code}`, 'localhost', restrictedKey)]
  for (const each of refused) {
    const { status } = await ask(folder, each)
    expect([each.body, status >= 400 && status < 500]).toEqual([each.body, true])
  }
  const log = await folder.api('GET', '/api/audit-log?action=link.created')
  const targets = JSON.parse(log.body).data.map(({ target }: { target: string }) => target)
  expect(targets.filter((target: string) => target.endsWith('same'))).toHaveLength(2)
}

async function ask({ port }: OperatedFolder, request: Parameters<KeepAliveClient['request']>[0]) {
  const client = new KeepAliveClient(port)
  const answer = await client.request(request)
  client.close()
  if (typeof answer === 'string') throw new Error(`${request.path} was not answered: ${answer}`)
  return answer
}
