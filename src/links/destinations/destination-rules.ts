import type { Config } from '../../config/config.ts'
import type { Blocks } from './blocks.ts'
import type { DestinationRules } from './destination.ts'
import type { OwnHosts } from './own-hosts.ts'

/** The rules for destinations, from the settings, the domains and the block list. */
export const destinationRulesOf = (
  {
    allowPrivateDestinations,
    destinationSchemes,
  }: Pick<Config, 'allowPrivateDestinations' | 'destinationSchemes'>,
  { domains, blocks }: { domains: OwnHosts; blocks: Blocks },
): DestinationRules => ({
  ownHosts: domains,
  allowPrivate: allowPrivateDestinations,
  blocks,
  schemes: destinationSchemes,
})
