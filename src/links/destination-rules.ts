import type { Config } from '../config.ts'
import type { DestinationRules } from './destination.ts'

/** What the operator's settings say about destinations. */
export const destinationRulesOf = ({ baseUrl, allowPrivateDestinations }: Config): DestinationRules => ({
  ownHosts: new Set([new URL(baseUrl).host]),
  allowPrivate: allowPrivateDestinations,
})
