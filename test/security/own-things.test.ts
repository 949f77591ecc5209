import { expect, test } from 'bun:test'
import { COMMAND_LINE, operatorIn } from '../../src/access/caller.ts'
import { type Action, actionsOf, MEMBER_ROLES, type MemberRole } from '../../src/access/roles-and-scopes.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { suspendUser } from '../../src/operator/manage-users.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { memberOf, type TestUser, useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'

// What members have made stays when their role changes. What they may do with it is decided by the role that they have now.

const rig = useDashboardRig()
const owner = useUser(rig)

test.each(MEMBER_ROLES)('an admin who became %s may do what that role may, and no more', async (role) => {
  const { member, things } = await formerAdmin()
  if (role !== 'admin') await owner.browser.succeed('PUT', `/members/${member.userId}`, { role })
  const outcomes: [string, boolean][] = []
  for (const { right, use } of RIGHTS) {
    const { status } = await use(member, things)
    expect([200, 201, 403, 422]).toContain(status)
    outcomes.push([right, status < 300])
  }
  expect(outcomes).toEqual(RIGHTS.map(({ right, needs }) => [right, allows(role, needs)]))
  const views = rig.store.db.selectFrom('saved_views').select(['name', 'query', 'is_shared'])
  const shared = await views.where('id', '=', things.shared).execute()
  expect(shared).toEqual(role === 'viewer' ? [{ name: 'Shared', query: '', is_shared: 1 }] : [])
})

test('an invitation lets nobody in while who sent it is suspended', async () => {
  const { member, things } = await formerAdmin()
  const { userId } = member
  const { db } = rig.store
  await suspendUser({ db, clock: systemClock }, COMMAND_LINE, userId)
  const accept = () =>
    things.invited.browser.request('POST', '/invitations/accept', { token: things.invitation })
  expect((await accept()).status).toBe(422)
  await db.updateTable('users').set({ suspended_at: null }).where('id', '=', userId).execute()
  expect((await accept()).status).toBe(200)
})

type Things = {
  shared: number
  own: number
  key: string
  link: string
  invited: TestUser
  invitation: string
}

/** Of an admin, who has every right but those of owners. */
async function makeThings(admin: TestUser): Promise<Things> {
  const { browser, userId, workspaceId } = admin
  const view = (name: string, isShared: boolean) =>
    browser.succeed('POST', '/views', { name, query: '', is_shared: isShared })
  const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
  const caller = operatorIn(workspaceId, { ...COMMAND_LINE, userId })
  const { key } = await issueKey(deps, caller, { name: 'Own', scopes: ['links:write', 'audit:read'] })
  const { short_code: link } = await browser.succeed('POST', '/links', {
    original_url: 'https://example.com/',
  })
  const invited = await rig.user()
  await browser.succeed('POST', '/members/invitations', { emails: [invited.email], role: 'admin' })
  const { token: invitation } = await rig.mailTo(invited.email)
  const [{ id: shared }, { id: own }] = [await view('Shared', true), await view('Own', false)]
  return { shared, own, key, link, invited, invitation }
}

type Right = {
  right: string
  /** Undefined: in any role. */
  needs: Action | undefined
  use(member: TestUser, things: Things): Promise<{ status: number }>
}

const put = (member: TestUser, path: string, body: object) => member.browser.request('PUT', path, body)

const RIGHTS: Right[] = [
  {
    right: 'rename a view that they shared',
    needs: 'templates:write',
    use: (member, { shared }) => put(member, `/views/${shared}`, { name: 'New', query: 'search=phish' }),
  },
  {
    right: 'stop sharing a view',
    needs: 'templates:write',
    use: (member, { shared }) => put(member, `/views/${shared}`, { is_shared: false }),
  },
  {
    right: 'delete a view that they shared',
    needs: 'templates:write',
    use: (member, { shared }) => member.browser.request('DELETE', `/views/${shared}`),
  },
  {
    right: 'rename a view of their own',
    needs: undefined,
    use: (member, { own }) => put(member, `/views/${own}`, { name: 'New' }),
  },
  {
    right: 'save and delete a view of their own',
    needs: undefined,
    async use({ browser }) {
      const { id } = await browser.succeed('POST', '/views', { name: 'Short', query: '' })
      return browser.request('DELETE', `/views/${id}`)
    },
  },
  {
    right: 'share a view of their own',
    needs: 'templates:write',
    use: (member, { own }) => put(member, `/views/${own}`, { is_shared: true }),
  },
  {
    right: 'change a link that they created',
    needs: 'links:write',
    use: (member, { link }) => put(member, `/links/${link}`, { title: 'New' }),
  },
  {
    right: 'create links with a key of their own',
    needs: 'links:write',
    use: (_, { key }) =>
      rig.call('POST', '/api/links', { key, body: { original_url: 'https://example.com/' } }),
  },
  {
    right: 'read the audit log with a key of their own',
    needs: 'audit:read',
    use: (_, { key }) => rig.call('GET', '/api/audit-log', { key }),
  },
  {
    right: 'let others in by an invitation that they sent',
    needs: 'members:manage',
    use: (_, { invited, invitation }) =>
      invited.browser.request('POST', '/invitations/accept', { token: invitation }),
  },
]

const allows = (role: MemberRole, needs: Action | undefined) =>
  needs === undefined || actionsOf(role).includes(needs)

async function formerAdmin() {
  const member = await memberOf(rig, owner, 'admin')
  return { member, things: await makeThings(member) }
}
