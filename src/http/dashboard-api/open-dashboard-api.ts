import type { Hono } from 'hono'
import type { AppEnv } from '../api/handle-endpoint.ts'
import type { CallerEndpoint } from '../api/endpoint.ts'
import { addDashboardApi } from './handle-dashboard.ts'
import { type DashboardApiDeps, ownEndpointsOf } from './own-endpoints.ts'
import { UserLimits } from './user-limits.ts'

/** `shared`: the API's endpoints that the dashboard uses too. */
export function openDashboardApi(
  app: Hono<AppEnv>,
  deps: DashboardApiDeps,
  shared: readonly CallerEndpoint[],
): void {
  const { config, store, clock, domains } = deps
  const limits = new UserLimits(clock, deps.metrics.rateLimitRefusals.address)
  const own = ownEndpointsOf(deps, limits)
  addDashboardApi(app, { store, domains, clock, baseUrl: config.baseUrl, limits }, { own, shared })
}
