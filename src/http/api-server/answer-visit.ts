import { internalError } from '../../redirect/notices.ts'
import { openLink, type OpenLinkDeps } from '../../redirect/open-link.ts'
import { openPath } from '../../redirect/open-path.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Log } from '../../runtime/log.ts'
import { ERROR_MESSAGE, logError } from '../responses/plain-response.ts'
import type { ProxiedVisit } from './api-server.ts'

export type VisitDeps = { openLink: OpenLinkDeps; log: Log }

/**
 * On the redirect thread, for a visit that reached the API server: its request was not a plain one. Undefined if it has a path, and
 * no link opens with one.
 */
export async function answerVisit(deps: VisitDeps, visit: ProxiedVisit): Promise<VisitResponse | undefined> {
  const { headers, ...parts } = visit
  try {
    const open = visit.path === undefined ? openLink : openPath
    return await open(deps.openLink, { ...parts, header: (name) => headers[name] ?? null })
  } catch (error) {
    return internalError(ERROR_MESSAGE, logError(deps.log, error))
  }
}
