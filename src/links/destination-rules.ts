import type { Config } from '../config.ts'
import type { Blocks } from './blocks.ts'
import type { DestinationRules } from './destination.ts'

/** What the operator's settings and blocks say about destinations. */
export const destinationRulesOf = (
  { baseUrl, allowPrivateDestinations }: Config,
  blocks: Blocks,
): DestinationRules => ({
  ownHosts: new Set([new URL(baseUrl).host]),
  allowPrivate: allowPrivateDestinations,
  blocks,
})
