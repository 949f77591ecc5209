import { z } from '@hono/zod-openapi'
import { DEFAULT_PLAN } from '../../access/plan-names.ts'
import { ACTIONS, actionsOf, MEMBER_ROLES } from '../../access/roles-and-scopes.ts'
import { runningImports } from '../../import/jobs/running-imports.ts'
import { linkLimitOf } from '../../links/link-limit.ts'
import { linkCounts } from '../../links/lists/count-links.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { accountOf } from '../../users/find-account.ts'
import { workspacesOf, type WorkspaceOfUser } from '../../users/members/workspaces-of-user.ts'
import { listPasskeys } from '../../users/second-factor/passkeys.ts'
import { countRecoveryCodes } from '../../users/second-factor/recovery-codes.ts'
import type { Session } from '../../users/sign-in/session.ts'
import { USER_ROLES } from '../../users/user.ts'
import { hasPlans, hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { noSuchWorkspace } from '../../workspaces/workspace.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { timestamp } from './schemas.ts'

const workspaceSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  role: z.enum(MEMBER_ROLES),
  members: z.int().meta({ description: 'How many, the user included.' }),
  requires_second_factor: z.boolean(),
})

const workspacesShape = {
  workspace: workspaceSchema.meta({ description: 'The one that this request works in.' }),
  workspaces: z.array(workspaceSchema),
  domains: z
    .array(z.string())
    .meta({ description: 'Hosts that new links of this workspace can have, its default first.' }),
  running_import: z.int().nullable().meta({
    description: 'The ID of the import that the server runs for this workspace; null: none.',
  }),
  is_alone: z.boolean().meta({ description: 'One workspace, no other member, nobody invited.' }),
  can: z.array(z.enum(ACTIONS)).meta({
    description: 'What the role in the current workspace allows; nothing while `needs_two_factor`.',
  }),
  needs_two_factor: z
    .boolean()
    .meta({ description: 'The current workspace requires a second factor, and the user has none.' }),
}

export const meSchema = z.strictObject({
  ...workspacesShape,
  id: z.int(),
  name: z.string(),
  email: z.string(),
  is_verified: z.boolean(),
  role: z.enum(USER_ROLES),
  plan: z.string(),
  has_plans: z.boolean().meta({
    description:
      'False until the operator has assigned a plan. Until then, the dashboard does not mention plans.',
  }),
  requests_per_hour: z.int().nullable().meta({ description: 'For each key; null: no limit.' }),
  links: z
    .strictObject({ count: z.int(), max: z.int() })
    .nullable()
    .meta({ description: 'How many links the workspace has and can have; null: any number.' }),
  subscription: z.strictObject({ status: z.string(), expires_at: timestamp().nullable() }),
  created_at: timestamp(),
  security: z.strictObject({
    has_password: z.boolean(),
    has_two_factor: z.boolean(),
    recovery_codes_left: z.int(),
    passkeys: z.int(),
    confirmed_until: timestamp().nullable().meta({
      description:
        'Of this session; where no password is asked for, because there is none. Null: not confirmed.',
    }),
  }),
})
export type MeView = z.infer<typeof meSchema>

type MeDeps = Pick<ServerDeps, 'db' | 'clock' | 'domains' | 'linksMax'>

export async function meView(deps: MeDeps, session: Session): Promise<MeView> {
  const { db } = deps
  const account = await accountOf(db, session)
  return {
    ...(await workspacesView(deps, session)),
    id: account.userId,
    name: account.name,
    email: account.email,
    is_verified: account.emailVerifiedAtUs !== null,
    role: account.role,
    plan: account.plan,
    has_plans: account.plan !== DEFAULT_PLAN || (account.role === 'admin' && (await hasPlans(db))),
    requests_per_hour: limitOrNull(hourlyAllowance(account)),
    links: await limitedLinks(deps, session.workspaceId),
    subscription: {
      status: account.subscriptionStatus,
      expires_at: isoOrNull(account.subscriptionExpiresAtUs),
    },
    created_at: isoMicroseconds(account.createdAtUs),
    security: {
      has_password: account.hasPassword,
      has_two_factor: account.hasSecondFactor,
      recovery_codes_left: await countRecoveryCodes(db, session.userId),
      passkeys: (await listPasskeys(db, session.userId)).length,
      confirmed_until: isoOrNull(session.confirmedUntilUs),
    },
  }
}

async function workspacesView(
  deps: MeDeps,
  { userId, workspaceId, memberRole, lacksSecondFactor }: Session,
): Promise<Pick<MeView, keyof typeof workspacesShape>> {
  const own = await workspacesOf(deps, userId)
  const current = own.find(({ id }) => id === workspaceId)
  if (current === undefined) throw noSuchWorkspace()
  return {
    workspace: workspaceView(current),
    workspaces: own.map(workspaceView),
    domains: deps.domains.hostsForNewLinks(workspaceId),
    running_import: lacksSecondFactor
      ? null
      : ((await runningImports(deps.db, [workspaceId])).get(workspaceId) ?? null),
    is_alone: own.length === 1 && current.members === 1 && current.invitations === 0,
    can: lacksSecondFactor ? [] : actionsOf(memberRole),
    needs_two_factor: lacksSecondFactor,
  }
}

const workspaceView = ({ id, name, role, members, requiresSecondFactor }: WorkspaceOfUser) => ({
  id,
  name,
  role,
  members,
  requires_second_factor: requiresSecondFactor,
})

async function limitedLinks({ db, linksMax }: MeDeps, workspaceId: number): Promise<MeView['links']> {
  const max = await linkLimitOf({ db, linksMax }, workspaceId)
  return max === null ? null : { count: (await linkCounts(db, workspaceId)).links, max }
}
