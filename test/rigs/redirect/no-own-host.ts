import { Blocks } from '../../../src/links/destinations/blocks.ts'
import type { DestinationRules } from '../../../src/links/destinations/destination.ts'

/** Of a service that has blocked nothing, and whose own host no test leads to. */
export const NO_OWN_HOST: DestinationRules = {
  ownHosts: new Set(),
  allowPrivate: false,
  blocks: new Blocks(),
}
