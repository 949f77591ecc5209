import { defaultKey } from '../../../src/links/link-key.ts'
import type { LinkRoute } from '../../../src/links/routes/link-route.ts'

/** The route of a link that has nothing but a destination. Tests change what they are about. */
export const PLAIN_ROUTE: LinkRoute = {
  ...defaultKey('hello'),
  linkId: 7,
  workspaceId: 3,
  destination: 'https://example.com/',
  isActive: true,
  blockedBy: undefined,
  options: undefined,
}
