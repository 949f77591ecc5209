import type { Config } from '../config/config.ts'
import { isPrivateHost } from '../links/destinations/private-hosts.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

type Settings = Pick<Config, 'baseUrl' | 'host' | 'port' | 'trustedProxies'>

/** A network of proxies is a rack or a cloud's range, not a large part of the internet. */
const PREFIX_MIN = { ipv4: 8, ipv6: 16 }

/** Where visitors arrive, and which proxies are trusted to name their IP address. */
export function checkBaseUrl(settings: Settings): Finding[] {
  const { baseUrl, trustedProxies } = settings
  const from = trustedProxies === '' ? 'each connection' : `X-Forwarded-For of ${trustedProxies}`
  return [
    ...findings('address', addressComplaints(settings), `Short URLs begin with ${baseUrl}.`),
    ...findings('proxies', proxyComplaints(settings), `A visitor's IP address is taken from ${from}.`),
  ]
}

function addressComplaints({ baseUrl, port, trustedProxies }: Settings): Problem[] {
  const { hostname, protocol, port: portOfUrl } = new URL(baseUrl)
  if (isPrivateHost(hostname)) {
    return [warning(`BASE_URL is ${baseUrl}: short URLs work on this machine or network only.`)]
  }
  const complaints: Problem[] = []
  if (protocol === 'http:') {
    complaints.push(warning(`BASE_URL is ${baseUrl}: without https, keys and links are sent unencrypted.`))
  }
  const publicPort = Number(portOfUrl || (protocol === 'https:' ? 443 : 80))
  if (protocol === 'http:' && trustedProxies === '' && publicPort !== port) {
    complaints.push(
      warning(
        `Visitors are sent to port ${publicPort}, and Tern listens on ${port}, with no proxy in TRUSTED_PROXIES.`,
      ),
    )
  }
  return complaints
}

function proxyComplaints({ baseUrl, host, trustedProxies }: Settings): Problem[] {
  if (trustedProxies === '') {
    if (!baseUrl.startsWith('https:')) return []
    return [
      fault(
        'BASE_URL is https, which a proxy answers, and TRUSTED_PROXIES is empty: all visitors appear to come from the proxy. Set it to the IP address of the proxy.',
      ),
    ]
  }
  const wide = trustedProxies
    .split(',')
    .map((part) => part.trim())
    .filter(isTooWide)
  const onlyLoopback = host === '127.0.0.1' || host === '::1' || host === 'localhost'
  if (wide.length === 0 || onlyLoopback) return []
  return [
    fault(
      `TRUSTED_PROXIES has ${wide.join(', ')}: anyone in those networks can choose the IP address they appear to have. List only the proxies.`,
    ),
  ]
}

function isTooWide(part: string): boolean {
  const [address = '', length] = part.split('/')
  return length !== undefined && Number(length) < PREFIX_MIN[address.includes(':') ? 'ipv6' : 'ipv4']
}
