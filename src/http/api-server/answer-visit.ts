import { internalError } from '../../redirect/notices.ts'
import { openLink, type OpenLinkDeps } from '../../redirect/open-link.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Log } from '../../runtime/log.ts'
import { ERROR_MESSAGE, logError } from '../responses/plain-response.ts'
import type { ProxiedVisit } from './api-server.ts'

export type VisitDeps = { openLink: OpenLinkDeps; log: Log }

/** On the redirect thread, for a visit that reached the API server: its request was not a plain one. */
export async function answerVisit(deps: VisitDeps, visit: ProxiedVisit): Promise<VisitResponse> {
  const { headers, ...parts } = visit
  try {
    return await openLink(deps.openLink, { ...parts, header: (name) => headers[name] ?? null })
  } catch (error) {
    return internalError(ERROR_MESSAGE, logError(deps.log, error))
  }
}
