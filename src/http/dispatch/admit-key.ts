import { type Caller, callerWithKey } from '../../access/caller.ts'
import type { Scope } from '../../access/roles-and-scopes.ts'
import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { HourlyUsage } from '../../api-keys/hourly-limit.ts'
import { readQuery } from '../requests/query.ts'
import type { AppContext } from './app-context.ts'
import { authenticate } from './authenticate.ts'
import { openToOrigin, refuseOtherOrigins } from './cross-origin.ts'
import { limitRate, refuseOverLimit } from './limit-rate.ts'
import {
  refuseSuspended,
  refuseUnverified,
  refuseWithoutScope,
  refuseWithoutSecondFactor,
} from './permissions.ts'
import type { ServerDeps } from './server-deps.ts'

type AdmittedKey = { apiKey: PresentedKey; caller: Caller; usage: HourlyUsage }

/** The checks of every request with a key, whatever its endpoint: key, verified email and second factor, limit. */
export async function admitKey(
  { keys, requestCounters, clock, metrics }: ServerDeps,
  context: AppContext,
): Promise<AdmittedKey> {
  const apiKey = await authenticate(keys, context.req.raw.headers, readQuery(context.env.target))
  openToOrigin(apiKey, context)
  const isRead = context.req.method === 'GET'
  const { usage, headers, stored } = await limitRate(
    { requests: isRead ? requestCounters.reads : requestCounters.changes, clock },
    apiKey,
  )
  // A request that may change something goes on while its count is stored.
  if (isRead) await stored
  else context.set('counted', stored)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  refuseSuspended(apiKey)
  refuseOtherOrigins(apiKey, context)
  refuseUnverified(apiKey)
  refuseWithoutSecondFactor(apiKey)
  if (!usage.isAllowed) metrics.rateLimitRefusals.key.add()
  refuseOverLimit(usage, clock.nowUs())
  return { apiKey, caller: callerWithKey(apiKey), usage }
}

/** And what its endpoint needs. */
export async function admitKeyTo(
  deps: ServerDeps,
  context: AppContext,
  scope: Scope | undefined,
): Promise<AdmittedKey> {
  const admitted = await admitKey(deps, context)
  refuseWithoutScope(admitted.apiKey, admitted.caller, scope)
  return admitted
}
