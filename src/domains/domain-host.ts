import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { validated } from '../errors/field-errors.ts'
import { withoutRootDot } from '../links/destinations/blocks.ts'
import { parseUrl } from '../links/destinations/parse-url.ts'
import { isPrivateHost, parseIp } from '../links/destinations/private-hosts.ts'
import { lineOfText } from '../validation/field-rules.ts'

export type HostRules = Pick<Config, 'baseUrl' | 'allowPrivateDestinations'>

/** RFC 1035, 2.3.4, less the name of the record under which the proof is. */
const HOST_LENGTH_MAX = 253 - '_tern.'.length
const TYPED_LENGTH_MAX = 255
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A URL, a port or a user name, which are none of the name. */
const OTHER_PARTS = /[\s/?#@:\\%[\]]/

const NOT_A_DOMAIN = 'The :attribute must be a domain name, for example go.example.com.'

/** The host of a domain of workspaces: any spelling of a name, in lower case and punycode as in URLs. */
export const domainHost = ({ baseUrl, allowPrivateDestinations }: HostRules) =>
  lineOfText(TYPED_LENGTH_MAX)
    .transform((text, context): string => {
      const refuse = (message: string) => {
        context.issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }
      const host = nameOf(text.trim())
      if (host === undefined) return refuse(NOT_A_DOMAIN)
      if (host === new URL(baseUrl).hostname)
        return refuse('The :attribute is the one of this server, on which you can create links already.')
      if (!allowPrivateDestinations && isPrivateHost(host))
        return refuse('The :attribute must be a name that is public on the internet.')
      return host
    })
    .meta({ maxLength: TYPED_LENGTH_MAX, example: 'go.example.com' })

/** Refused, as `host`, if it is none. */
export const readDomainHost = (rules: HostRules, host: unknown): string =>
  validated(z.object({ host: domainHost(rules) }), { host }).host

function nameOf(text: string): string | undefined {
  if (OTHER_PARTS.test(text)) return undefined
  const host = withoutRootDot(parseUrl(`http://${text}`)?.hostname ?? '')
  const labels = host.split('.')
  const isName = parseIp(host) === undefined && labels.length > 1 && host.length <= HOST_LENGTH_MAX
  return isName && labels.every((label) => LABEL.test(label)) ? host : undefined
}
