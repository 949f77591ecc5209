/**
 * Hosts that are not on the public internet. A link to one would lead visitors into their own networks, and a request by Tern
 * into the server's. Only the host as written is checked: a public name may still resolve to a private address.
 */

// The IANA IPv4 Special-Purpose Address Registry, without blocks that are part of larger ones, and multicast (RFC 5771).
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; Alibaba's metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; metadata of most clouds at 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
  '168.63.129.16/32', // Azure's metadata, in the middle of public space
].map(readBlock)

// The IANA IPv6 Special-Purpose Address Registry, and the blocks that embed IPv4 addresses.
const SPECIAL_IPV6 = [
  '[::]/96', // unspecified, loopback, and IPv4-compatible (deprecated by RFC 4291)
  '[::ffff:0:0]/96', // IPv4-mapped
  '[::ffff:0:0:0]/96', // IPv4-translated (RFC 2765)
  '[64:ff9b::]/96', // NAT64
  '[64:ff9b:1::]/48', // NAT64, local
  '[100::]/64', // discard
  '[100:0:0:1::]/64', // dummy
  '[2001::]/23', // protocol assignments, Teredo, ORCHID
  '[2001:db8::]/32', // documentation
  '[2002::]/16', // 6to4
  '[2620:4f:8000::]/48', // AS112
  '[3fff::]/20', // documentation
  '[5f00::]/16', // segment routing
  '[fc00::]/7', // private; AWS's metadata at fd00:ec2::254
  '[fe80::]/10', // link-local
  '[fec0::]/10', // site-local, deprecated by RFC 3879
  '[ff00::]/8', // multicast
].map(readBlock)

// 0.0.0.0 and :: reach the local machine on Linux and macOS.
const LOOPBACK = ['127.0.0.0/8', '0.0.0.0/32', '[::1]/128', '[::]/128'].map(readBlock)

// RFC 6761, 6762, 8375, ICANN's .internal, and unregistered suffixes that routers and offices use.
const PRIVATE_SUFFIXES =
  'localhost localdomain local internal intranet private lan home home.arpa corp'.split(' ')

/** Takes a host as in `URL.hostname`. */
export function isPrivateHost(hostname: string): boolean {
  const address = parseIp(hostname)
  if (address === undefined) return isPrivateName(hostname.replace(/\.$/, ''))
  return isWithin(address, hostname.startsWith('[') ? SPECIAL_IPV6 : SPECIAL_IPV4)
}

export const isLoopback = (address: bigint): boolean => isWithin(address, LOOPBACK)

/**
 * An IP address as 128 bits, IPv4 in its mapped form (RFC 4291, 2.5.5.2). Undefined for a name. Takes a host as in `URL.hostname`,
 * where IPv4 has four decimal parts, and IPv6 has brackets and hexadecimal groups only.
 */
export function parseIp(hostname: string): bigint | undefined {
  if (hostname.startsWith('[')) return readIpv6(hostname.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return readIpv4(hostname)
  return undefined
}

type Block = { address: bigint; hostBits: bigint }

function readBlock(text: string): Block {
  const [host = '', prefix = ''] = text.split('/')
  const address = parseIp(host)
  if (address === undefined) throw new Error(`not a block of addresses: ${text}`)
  return { address, hostBits: BigInt((host.startsWith('[') ? 128 : 32) - Number(prefix)) }
}

function isWithin(address: bigint, blocks: Block[]): boolean {
  return blocks.some((block) => address >> block.hostBits === block.address >> block.hostBits)
}

// A name without a dot is resolved in the visitor's own search domain.
function isPrivateName(name: string): boolean {
  return (
    !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`) || name === suffix)
  )
}

function readIpv4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0xffffn)
}

function readIpv6(text: string): bigint {
  const [left = [], right = []] = text.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}
