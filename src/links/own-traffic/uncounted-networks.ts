import { z } from 'zod'
import { type IpNetwork, parseNetwork } from '../../network/ip-network.ts'
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

const isTooWide = ({ family, prefixLength }: IpNetwork): boolean => prefixLength < PREFIX_LENGTH_MIN[family]

/** Networks whose visits a workspace does not count. */
export const uncountedNetworks = boundedList(network, { min: 0, max: NETWORKS_MAX })
