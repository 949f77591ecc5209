import type { MailingDeps } from '../../users/tokens/mailed-link.ts'
import { limitOrNull } from '../../workspaces/plans.ts'
import { dailyUsage } from '../../api-keys/daily-usage.ts'
import type { ApiKey } from '../../api-keys/api-key.ts'
import { listVisibleKeys, revokeVisibleKey } from '../../api-keys/find-key.ts'
import type { IssueKeyDeps } from '../../api-keys/issue-key.ts'
import { issueOwnKey } from '../../api-keys/issue-own-key.ts'
import { MASKED_KEY } from '../../api-keys/key-format.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { KeyView } from './types/key-types.ts'
import { idOf } from '../requests/path-id.ts'

/** Keys are created and revoked here and on the command line, never with a key. */
export function keyEndpoints(deps: MailingDeps & IssueKeyDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /keys', 'member', async ({ caller }) => ({
      message: 'API keys retrieved.',
      data: (await listVisibleKeys(deps, caller)).map(keyView),
    })),
    endpoint('POST /keys', 'member', async ({ caller, input, device }) => {
      const data = await issueOwnKey(deps, caller, { ...input, device })
      return { status: 201, message: 'API key created. It is shown only once.', data }
    }),
    endpoint('DELETE /keys/{id}', 'member', async ({ caller, params }) => {
      await revokeVisibleKey(deps, caller, idOf(params))
      return { message: 'API key revoked.' }
    }),
    endpoint('GET /usage', 'member', async ({ caller }) => {
      const { days, lastSevenDays, lastThirtyDays } = await dailyUsage(deps, caller.workspaceId)
      return {
        message: 'Usage retrieved.',
        data: { days, last_seven_days: lastSevenDays, last_thirty_days: lastThirtyDays },
      }
    }),
  ]
}

const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  name: key.name,
  key: MASKED_KEY,
  key_hint: key.hint,
  scopes: key.scopes,
  restrictions: key.restrictions ?? null,
  created_by: key.createdBy,
  rate_limit: limitOrNull(key.rateLimit),
  current_usage: key.currentUsage,
  reset_at: isoOrNull(key.resetAtUs),
  last_used_at: isoOrNull(key.lastUsedAtUs),
  is_revoked: key.revokedAtUs !== null,
  created_at: isoMicroseconds(key.createdAtUs),
})
