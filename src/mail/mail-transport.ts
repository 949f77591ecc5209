import { isIPv4 } from 'node:net'
import type { Config } from '../config/config.ts'
import { mailLibrary } from './mail-library.ts'

const CONNECT_MS_MAX = 10_000
const SILENCE_MS_MAX = 30_000

export type TransportSettings = { smtpUrl: string } & Pick<Config, 'mailFrom' | 'baseUrl'>

/** What the query of SMTP_URL says, such as `name`, goes before what is set here. */
export async function openTransport({ smtpUrl, mailFrom, baseUrl }: TransportSettings) {
  const { createTransport } = await mailLibrary()
  return createTransport(
    {
      url: smtpUrl,
      name: ehloName(baseUrl),
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
    },
    { from: mailFrom },
  )
}

/** RFC 5321, 4.1.3. Without it, the library takes the name of the machine, or `[127.0.0.1]`, which many servers refuse. */
function ehloName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  if (isIPv4(hostname)) return `[${hostname}]`
  return hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : hostname
}
