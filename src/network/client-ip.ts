import { isIPv4, isIPv6 } from 'node:net'
import { Refusal } from '../errors/refusal.ts'
import type { LimitKey } from '../limits/window-limit.ts'
import { IpNetworks, parseNetwork } from './ip-network.ts'

/** The proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = { includes(ip: string): boolean }

/** Read from the right, where trusted proxies append. */
const HOPS_READ_MAX = 32

const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/
const LOOPBACK = ['127.0.0.0/8', '::1']

/** `TRUSTED_PROXIES`: addresses and CIDR blocks of both families and the word `loopback`, separated by commas. */
export function parseTrustedProxies(text: string): TrustedProxies {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) return { includes: () => false }

  const networks = new IpNetworks()
  for (const part of parts)
    for (const text of part.toLowerCase() === 'loopback' ? LOOPBACK : [part]) {
      const network = parseNetwork(text)
      if (network === undefined) throw notANetwork(part)
      networks.add(network)
    }
  return networks
}

/** The proxies of the setting; undefined if it names none, so that nobody's `X-Forwarded-For` is read. */
export const trustedProxiesOf = (setting: string): TrustedProxies | undefined =>
  setting === '' ? undefined : parseTrustedProxies(setting)

const notANetwork = (part: string) =>
  new Refusal(
    'command_failed',
    `TRUSTED_PROXIES contains "${part}", which is neither an IP address, a CIDR block nor the word loopback.`,
  )

/** The client: the peer, or if that is a trusted proxy, the right-most hop of `X-Forwarded-For` that is not one. */
export function clientIp(peer: string, forwardedFor: string | null, trusted: TrustedProxies): string {
  let lastTrusted = plainIp(peer)
  if (lastTrusted === '') return peer
  if (forwardedFor === null || !trusted.includes(lastTrusted)) return lastTrusted

  for (const hop of forwardedFor.split(',').slice(-HOPS_READ_MAX).reverse()) {
    const ip = plainIp(withoutPort(hop.trim()))
    // Nothing to the left of an invalid hop was written by a trusted proxy.
    if (ip === '') return lastTrusted
    if (!trusted.includes(ip)) return ip
    lastTrusted = ip
  }
  return lastTrusted
}

/**
 * The keys that limits count a request against, the narrowest first. One customer has an IPv6 /64, often a /56 or /48, and
 * a provider a /32 or larger. IPv4 is assigned by the address, or as a /24.
 */
export function limitKeys(ip: string): LimitKey[] {
  const plain = plainIp(ip)
  if (plain === '') return [{ key: ip, times: 1 }]
  if (isIPv4(plain)) {
    return [
      { key: plain, times: 1 },
      { key: `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`, times: 16 },
    ]
  }
  const [a, b, c, d] = firstGroups(plain) as [string, string, string, string]
  // The fourth group without its lower eight bits: in short form, the last two of three or four digits.
  const upper = d.length > 2 ? `${d.slice(0, -2)}00` : '0'
  return [
    { key: `${a}:${b}:${c}:${d}::/64`, times: 1 },
    { key: `${a}:${b}:${c}:${upper}::/56`, times: 4 },
    { key: `${a}:${b}:${c}::/48`, times: 16 },
    { key: `${a}:${b}::/32`, times: 256 },
  ]
}

/** The canonical form: no zone, IPv6 as in RFC 5952, `::ffff:1.2.3.4` as 1.2.3.4. '' if it is not an IP address. */
export function plainIp(text: string): string {
  // Hot path: nearly every peer is plain IPv4.
  if (isIPv4(text)) return text
  const ip = text.split('%', 1)[0] ?? ''
  if (!isIPv6(ip)) return ''
  const plain = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED_IPV4.exec(plain) ?? []
  return high === undefined || low === undefined ? plain : [...octets(high), ...octets(low)].join('.')
}

function octets(group: string): number[] {
  const number = parseInt(group, 16)
  return [number >> 8, number & 255]
}

function withoutPort(hop: string): string {
  return (BRACKETED.exec(hop) ?? IPV4_WITH_PORT.exec(hop))?.[1] ?? hop
}

/** The first four groups of an IPv6 address in short form. */
function firstGroups(ip: string): string[] {
  const [left = '', right = ''] = ip.split('::')
  const groups = left.split(':').filter((group) => group !== '')
  const rightGroups = right.split(':').filter((group) => group !== '')
  const zeros = Array<string>(8 - groups.length - rightGroups.length).fill('0')
  return [...groups, ...zeros, ...rightGroups].slice(0, 4)
}
