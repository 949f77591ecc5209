import { isIPv4, isIPv6 } from 'node:net'
import { isPrivateHost } from '../links/destinations/private-hosts.ts'

/** Whether an IP address, as a resolver returns it, is on the public internet. One with a zone (`fe80::1%eth0`) never is. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !isPrivateHost(ip)
  // The URL parser turns every spelling of an IPv6 address into the one that isPrivateHost reads.
  return isIPv6(ip) && !ip.includes('%') && !isPrivateHost(new URL(`http://[${ip}]/`).hostname)
}
