import type { RouteFacts } from '../../../src/redirect/decide-route.ts'

/** Of a visit about which nothing is known, or what `known` says. */
export const routeFacts = (known: Partial<RouteFacts> = {}): RouteFacts => ({
  nowUs: () => 0,
  query: '',
  path: '',
  isPreview: () => false,
  isExhausted: () => false,
  endedUrl: () => null,
  knowsPassword: () => false,
  country: () => '',
  client: () => ({ isBot: false, device: 'other', browser: 'Unknown', os: 'Unknown' }),
  languages: () => [],
  visitor: () => 1,
  ...known,
})
