import type { SignedInCaller } from '../access/caller.ts'
import { accountOf } from '../users/find-account.ts'
import { listPasskeys } from '../users/second-factor/passkeys.ts'
import { listIdentities } from '../users/single-sign-on/identities.ts'
import { limitOrNull } from '../workspaces/plans.ts'
import { listSessions } from '../users/sign-in/session.ts'
import { listVisibleKeys } from '../api-keys/find-key.ts'
import { dailyUsage } from '../api-keys/daily-usage.ts'
import { type Clock, isoMicroseconds, isoOrNull } from '../runtime/clock.ts'
import { type ClickLineDeps, openClickLines } from './click-lines.ts'
import { deletedLinkLines, type LinkLineDeps, linkLines } from './link-lines.ts'
import { type ExportLine, pages } from './pages.ts'
import { workspaceLines } from './workspace-lines.ts'
import { versionLines } from './version-lines.ts'

type ExportDeps = LinkLineDeps & ClickLineDeps & { clock: Clock }

/**
 * Everything stored about a user and the workspace they work in, except hashes; a page of records at a time. A file without the
 * record `end` is incomplete. Clicks are those of its beginning.
 */
export async function* exportAccount(deps: ExportDeps, caller: SignedInCaller): AsyncGenerator<ExportLine[]> {
  const { workspaceId } = caller
  const clickLines = await openClickLines(deps, workspaceId)
  yield await userLines(deps, caller)
  yield await workspaceLines(deps, caller)
  for (const lines of [linkLines, deletedLinkLines]) {
    for await (const links of pages((after) => lines(deps, { workspaceId, after }))) {
      yield links
      yield* versionLines(
        deps.db,
        links.map(({ id }) => id as number),
      )
    }
  }
  yield* clickLines
  yield [{ type: 'end' }]
}

async function userLines(deps: ExportDeps, caller: SignedInCaller): Promise<ExportLine[]> {
  const { workspaceId, userId } = caller
  const account = await accountOf(deps.db, caller)
  const { days } = await dailyUsage(deps, workspaceId)
  return [
    {
      type: 'account',
      id: userId,
      name: account.name,
      email: account.email,
      email_verified_at: isoOrNull(account.emailVerifiedAtUs),
      plan: account.plan,
      role: account.role,
      has_password: account.hasPassword,
      has_two_factor: account.hasSecondFactor,
      created_at: isoMicroseconds(account.createdAtUs),
      last_signed_in_at: isoOrNull(account.lastSignedInAtUs),
    },
    ...(await listSessions(deps, userId)).map((session) => ({
      type: 'session',
      device: session.device,
      created_at: isoMicroseconds(session.createdAtUs),
      last_used_at: isoMicroseconds(session.lastUsedAtUs),
    })),
    ...(await listPasskeys(deps.db, userId)).map((passkey) => ({
      type: 'passkey',
      name: passkey.name,
      created_at: isoMicroseconds(passkey.createdAtUs),
      last_used_at: isoOrNull(passkey.lastUsedAtUs),
    })),
    ...(await listIdentities(deps.db, userId)).map((identity) => ({
      type: 'identity',
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      linked_at: isoMicroseconds(identity.createdAtUs),
      last_used_at: isoMicroseconds(identity.lastUsedAtUs),
    })),
    ...(await listVisibleKeys(deps, caller)).map((key) => ({
      type: 'api_key',
      name: key.name,
      scopes: key.scopes,
      rate_limit: limitOrNull(key.rateLimit),
      created_at: isoMicroseconds(key.createdAtUs),
      last_used_at: isoOrNull(key.lastUsedAtUs),
      revoked_at: isoOrNull(key.revokedAtUs),
    })),
    ...days.filter(({ requests }) => requests > 0).map((day) => ({ type: 'api_usage', ...day })),
  ]
}
