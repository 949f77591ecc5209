import { beforeAll } from 'bun:test'
import { COMMAND_LINE, operatorIn } from '../../../src/access/caller.ts'
import { MEMBER_ROLES, type MemberRole, SCOPES } from '../../../src/access/roles-and-scopes.ts'
import { issueKey } from '../../../src/api-keys/issue-key.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type DashboardRig, type TestUser, useOwnDashboardRig } from './dashboard-rig.ts'

type RoleMember = TestUser & { key: string }

/** A workspace with a member in each role, and one of a stranger with a thing of each kind. */
export type TeamOfRoles = {
  rig: DashboardRig
  workspaceId: number
  foreignId: number
  members: Record<MemberRole, RoleMember>
  stranger: TestUser & { key: string }
  /** The path with nothing that is there, or with what is there in the other workspace. */
  filled(path: string, what: 'missing' | 'foreign'): string
}

const NOBODY = 4_000_000

export function useTeamOfRoles(): TeamOfRoles {
  const rig = useOwnDashboardRig()
  const ids: Record<string, number> = {}
  const team = { rig, members: {}, filled: filledWith(ids) } as TeamOfRoles
  beforeAll(async () => {
    await rig.user()
    const [owner, stranger] = [await rig.user(), await rig.user()]
    team.workspaceId = owner.workspaceId
    team.foreignId = stranger.workspaceId
    for (const role of MEMBER_ROLES) team.members[role] = await memberWithKey(team, role)
    const key = await makeForeignThings(team, stranger, ids)
    team.stranger = { ...stranger, key }
  })
  return team
}

/** The key has all scopes: only the role can hold it back. */
async function memberWithKey({ rig, workspaceId }: TeamOfRoles, role: MemberRole): Promise<RoleMember> {
  const member = await rig.user()
  const { userId } = member
  const { db } = rig.store
  await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, user_id: userId, role, joined_at: 1 })
    .execute()
  const caller = operatorIn(workspaceId, { ...COMMAND_LINE, userId })
  const deps = { db, clock: systemClock, baseUrl: rig.config.baseUrl }
  const input = { name: role, scopes: [...SCOPES], rateLimit: 100_000 }
  const { key } = await issueKey(deps, caller, input)
  return { ...member, key }
}

async function makeForeignThings(
  { rig, foreignId }: TeamOfRoles,
  { browser, userId }: TestUser,
  ids: Record<string, number>,
): Promise<string> {
  const link = (code: string) => ({ original_url: 'https://example.com/', custom_code: code })
  ids['links'] = (await browser.succeed('POST', '/links', link('foreign'))).id
  ids['trash'] = (await browser.succeed('POST', '/links', link('foreign-deleted'))).id
  await browser.succeed('DELETE', '/links/foreign-deleted')
  ids['tags'] = (await browser.succeed('POST', '/tags', { name: 'Foreign' })).id
  ids['folders'] = (await browser.succeed('POST', '/folders', { name: 'Foreign' })).id
  ids['views'] = (await browser.succeed('POST', '/views', { name: 'Foreign', query: '', is_shared: true })).id
  const { id, key } = await browser.succeed('POST', '/keys', { name: 'Foreign', scopes: ['links:read'] })
  ids['keys'] = id
  await browser.succeed('POST', '/members/invitations', { emails: ['f@example.com'], role: 'viewer' })
  ids['invitations'] = (await browser.succeed('GET', '/members/invitations'))[0].id
  ids['members'] = userId
  ids['sessions'] = (await browser.succeed('GET', '/sessions'))[0].id
  ids['workspaces'] = foreignId
  ids['audit-log'] = (await browser.succeed('GET', '/audit-log'))[0].id
  const domain = { name: FOREIGN_HOST, host: FOREIGN_HOST, is_shared: 0, workspace_id: foreignId }
  await rig.store.db
    .insertInto('domains')
    .values({ ...domain, created_at: 1, verified_at: 1, verification_token: 'token' })
    .execute()
  return key
}

const FOREIGN_HOST = 'foreign.example'

const filledWith =
  (ids: Record<string, number>): TeamOfRoles['filled'] =>
  (path, what) => {
    const isMissing = what === 'missing'
    const code = isMissing
      ? 'no-such-code'
      : path.includes('/restore') || path.includes('/trash/')
        ? 'foreign-deleted'
        : 'foreign'
    const [first = '', second = ''] = path.replace('/api/', '/').split('/').slice(1)
    const kind = second === 'invitations' ? 'invitations' : first
    const id = isMissing ? NOBODY : (ids[kind] ?? NOBODY)
    return path
      .replace(/\{(short_code|code)\}/, code)
      .replace('{id}', String(id))
      .replace('{version}', '1')
      .replace('{host}', isMissing ? 'nobody.example' : FOREIGN_HOST)
  }
