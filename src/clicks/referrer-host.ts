import { REFERRER_CHARS_MAX } from './click.ts'

const REFERRER_READ_MAX = 2048

/** `https://news.example.org:8080/page?q=1` → `news.example.org`. '' for whatever is no address with a host. */
export function referrerHost(referrer: string | null): string {
  if (referrer === null) return ''
  const host =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\\]*@)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d*)?(?:[/?#]|$)/i.exec(
      referrer.slice(0, REFERRER_READ_MAX),
    )?.[1]
  return host === undefined || host.length > REFERRER_CHARS_MAX ? '' : host.toLowerCase()
}
