import type { OpenLinkDeps } from './open-link.ts'
import type { RouteFacts } from './decide-route.ts'
import { isPreviewFetcher } from './preview-fetchers.ts'
import type { Visit } from './visit.ts'

/** What the options of a link decide by. A plain link does not ask. */
export const factsOf = ({ clock }: Pick<OpenLinkDeps, 'clock'>, { query, header }: Visit): RouteFacts => ({
  nowUs: clock.nowUs,
  query,
  isPreview: () => isPreviewFetcher(header('user-agent')),
})
