import { z } from 'zod'
import { type IpNetwork, IpNetworks, parseNetwork } from '../../network/ip-network.ts'
import { NOT_A_STRING } from '../../validation/field-rules.ts'
import { boundedList } from '../bounded-list.ts'

const NETWORKS_MAX = 20
const TEXT_LENGTH_MAX = 50
/** Wider ones belong to many customers of many providers: their visits are hardly those of one's own. */
const PREFIX_LENGTH_MIN = { ipv4: 8, ipv6: 16 }

const NOT_A_NETWORK =
  'The :attribute must be an IP address or a network, such as 203.0.113.0/24 or 2001:db8::/48.'

const network = z
  .string(NOT_A_STRING)
  .transform((text) => text.trim().toLowerCase())
  .superRefine((text, context) => {
    const parsed = text.length > TEXT_LENGTH_MAX ? undefined : parseNetwork(text)
    if (parsed === undefined) context.addIssue(NOT_A_NETWORK)
    else if (isTooWide(parsed))
      context.addIssue(
        `The :attribute is too large: at most /${PREFIX_LENGTH_MIN.ipv4} of IPv4 and /${PREFIX_LENGTH_MIN.ipv6} of IPv6.`,
      )
  })

/** Where IPv6 has the addresses of IPv4. */
const MAPPED_IPV4: IpNetwork = { address: '::ffff:0:0', family: 'ipv6', prefixLength: 96 }

function isTooWide(network: IpNetwork): boolean {
  const { family, prefixLength } = network
  if (prefixLength < PREFIX_LENGTH_MIN[family]) return true
  const isWideInIpv4 = prefixLength < MAPPED_IPV4.prefixLength + PREFIX_LENGTH_MIN.ipv4
  return (
    family === 'ipv6' && isWideInIpv4 && (isWithin(network, MAPPED_IPV4) || isWithin(MAPPED_IPV4, network))
  )
}

/** Of two networks that are the same, or of which one is part of the other. */
function isWithin({ address }: IpNetwork, network: IpNetwork): boolean {
  const networks = new IpNetworks()
  networks.add(network)
  return networks.includes(address)
}

/** Networks whose visits a workspace does not count. */
export const uncountedNetworks = boundedList(network, { min: 0, max: NETWORKS_MAX })
