import type { Config } from '../../config/config.ts'
import type { Blocks } from './blocks.ts'
import type { DestinationRules } from './destination.ts'

/** The rules for destinations, from the settings and the block list. */
export const destinationRulesOf = (
  { baseUrl, allowPrivateDestinations }: Config,
  blocks: Blocks,
): DestinationRules => ({
  ownHosts: new Set([new URL(baseUrl).host]),
  allowPrivate: allowPrivateDestinations,
  blocks,
})
