import type { Hono } from 'hono'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import type { MailSender } from '../../mail/mail-queue.ts'
import type { AppEnv } from '../api/handle-endpoint.ts'
import type { AppDeps } from '../app.ts'
import type { CallerEndpoint } from '../api/endpoint.ts'
import { addDashboardApi } from './handle-dashboard.ts'
import { dashboardAnalyticsEndpoints } from './dashboard-analytics-endpoints.ts'
import { keyEndpoints } from './key-endpoints.ts'
import { LiveStreams } from './live-streams.ts'
import { operatorEndpoints } from './operator-endpoints.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { dashboardLinkEndpoints } from './dashboard-link-endpoints.ts'
import { explainEditEndpoint } from './explain-edit-endpoint.ts'
import { UserLimits } from './user-limits.ts'
import { securityEndpoints } from './security-endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { signUpEndpoints } from './sign-up-endpoints.ts'
import { streamEndpoints } from './stream-endpoints.ts'

export type DashboardApiDeps = AppDeps & { mails: MailSender; destinationRules: DestinationRules }

/** `shared`: the API's endpoints that the dashboard uses too. */
export function openDashboardApi(
  app: Hono<AppEnv>,
  deps: DashboardApiDeps,
  shared: readonly CallerEndpoint[],
): void {
  const { config, store, clock, log, mails, passwords, destinationRules } = deps
  const { baseUrl } = config
  const { db, relaxedDb, readDb, reportDb } = store
  const limits = new UserLimits(clock, deps.metrics.rateLimitRefusals.address)
  const blocks = deps.blockChanges
  const people: DashboardDeps = {
    ...{ db, relaxedDb, clock, config, baseUrl, mails, passwords, limits, blocks, log },
    countNotice: (userId) => limits.notice(userId),
  }
  const own = [
    ...signUpEndpoints(people),
    ...sessionEndpoints(people),
    ...securityEndpoints(people),
    ...dashboardLinkEndpoints({ store, clock, baseUrl, destinationRules }),
    explainEditEndpoint({ clock, destinationRules, blocks: deps.blocks }),
    ...dashboardAnalyticsEndpoints({ db: reportDb, readDb, clock }),
    ...keyEndpoints(people),
    ...operatorEndpoints(people),
    ...streamEndpoints({ reportDb, clock, live: new LiveStreams({ db, clock, log }) }),
  ]
  addDashboardApi(app, { store, clock, baseUrl, limits }, { own, shared })
}
