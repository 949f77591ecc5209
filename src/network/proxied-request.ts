import { plainIp, type TrustedProxies } from './client-ip.ts'

/** Headers of proxies. With one of them, the client may be anybody. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

type Request = { peer: string; header(name: string): string | undefined }

/** Whether one of these IP addresses has made the request itself, instead of passing on that of a visitor. */
export const isOwnRequestOf = (ips: TrustedProxies, { peer, header }: Request): boolean =>
  ips.includes(plainIp(peer)) && PROXY_HEADERS.every((name) => header(name) === undefined)
