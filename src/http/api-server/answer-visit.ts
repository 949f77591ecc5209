import { internalError } from '../../redirect/notices.ts'
import type { OpenLinkDeps } from '../../redirect/open-link.ts'
import { openFirst } from '../../redirect/open-visits.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Log } from '../../runtime/log.ts'
import { ERROR_MESSAGE, logError } from '../responses/plain-response.ts'
import type { ProxiedVisit } from './api-server.ts'

export type VisitDeps = { openLink: OpenLinkDeps; log: Log }

/**
 * On the redirect thread, for a request that reached the API server, because it was not a plain one: whatever of it opens a link
 * first. Undefined if all are guesses, and there is no such link.
 */
export async function answerVisit(
  deps: VisitDeps,
  visits: readonly ProxiedVisit[],
): Promise<VisitResponse | undefined> {
  try {
    return await openFirst(
      deps.openLink,
      visits.map(({ headers, ...parts }) => ({ ...parts, header: (name) => headers[name] ?? null })),
    )
  } catch (error) {
    return internalError(ERROR_MESSAGE, logError(deps.log, error))
  }
}
