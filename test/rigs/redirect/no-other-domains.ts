import { Domains } from '../../../src/links/domains/domains.ts'

/** Of a service with one domain. */
export const noOtherDomains = (baseUrl = 'https://s.example') =>
  new Domains({ baseUrl, unknownHosts: 'serve' })
