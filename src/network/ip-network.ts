import { BlockList, isIP, isIPv4 } from 'node:net'

/** `192.0.2.0/24`, or a single address. */
export type IpNetwork = { address: string; family: 'ipv4' | 'ipv6'; prefixLength: number }

const PREFIX_LENGTH = /^\d{1,3}$/
const BITS = { ipv4: 32, ipv6: 128 }

/** An IP address or a CIDR block of either family. Undefined for anything else. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [address = '', length, ...rest] = text.split('/')
  // A zone is local to a machine; what is matched never has one.
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || rest.length > 0) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (length === undefined) return { address, family, prefixLength: BITS[family] }
  if (!PREFIX_LENGTH.test(length) || Number(length) > BITS[family]) return undefined
  return { address, family, prefixLength: Number(length) }
}

/** Several networks, to look up an IP address in. */
export class IpNetworks {
  readonly #blocks = new BlockList()

  add({ address, family, prefixLength }: IpNetwork): void {
    this.#blocks.addSubnet(address, prefixLength, family)
  }

  includes(ip: string): boolean {
    return this.#blocks.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
  }
}
