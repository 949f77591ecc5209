import type { Hono } from 'hono'
import { PasswordQueue } from '../../accounts/password-queue.ts'
import type { DestinationRules } from '../../links/destination.ts'
import type { Mails } from '../../mail/post-office.ts'
import type { AppEnv } from '../answer-endpoint.ts'
import type { AppDeps } from '../app.ts'
import type { CallerEndpoint } from '../endpoint.ts'
import { addDashboardApi } from './answer-dashboard.ts'
import { figuresEndpoints } from './figures-endpoints.ts'
import { keyEndpoints } from './key-endpoints.ts'
import { LiveStreams } from './live-streams.ts'
import { operatorEndpoints } from './operator-endpoints.ts'
import type { PeopleDeps } from './people-deps.ts'
import { peopleLinksEndpoints } from './people-links-endpoints.ts'
import { PersonLimits } from './person-limits.ts'
import { securityEndpoints } from './security-endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { signUpEndpoints } from './sign-up-endpoints.ts'
import { streamEndpoints } from './stream-endpoints.ts'

export type DashboardApiDeps = AppDeps & { mails: Mails; destinationRules: DestinationRules }

/** Everything under /dashboard/api; `shared` are endpoints of the API that people use as well. */
export function openDashboardApi(
  app: Hono<AppEnv>,
  deps: DashboardApiDeps,
  shared: readonly CallerEndpoint[],
): void {
  const { config, store, clock, log, changes, mails, destinationRules } = deps
  const { baseUrl } = config
  const { db, quickDb, reportDb } = store
  const limits = new PersonLimits(clock, deps.metrics.rateLimitRefusals.address)
  const blocks = deps.blockChanges
  const passwords = new PasswordQueue()
  const people: PeopleDeps = {
    ...{ db, quickDb, clock, config, baseUrl, mails, passwords, limits, blocks, log },
    countNotice: (accountId) => limits.notice(accountId),
  }
  const own = [
    ...signUpEndpoints(people),
    ...sessionEndpoints(people),
    ...securityEndpoints(people),
    ...peopleLinksEndpoints({ store, clock, changes, baseUrl, destinationRules }),
    ...figuresEndpoints({ db: reportDb, clock }),
    ...keyEndpoints(people),
    ...operatorEndpoints(people),
    ...streamEndpoints({ reportDb, clock, live: new LiveStreams({ db, clock, log }) }),
  ]
  addDashboardApi(app, { store, clock, baseUrl, limits }, { own, shared })
}
