import { GuardedClient } from '../../destination-pages/guarded-client.ts'
import { systemResolver } from '../../destination-pages/resolve-host.ts'
import { Refusal } from '../../errors/refusal.ts'
import { Blocks } from '../../links/destinations/blocks.ts'
import { readDestination } from '../../links/destinations/destination.ts'
import { VERSION } from '../../runtime/version.ts'
import type { OpenedSource } from '../source.ts'
import { PageClient, type PageClientDeps } from './page-client.ts'
import { type NetworkChoices, readNetworkLinks } from './read-network-links.ts'
import type { NetworkSource } from './source-api.ts'

/** For a page of 64 MB over a slow line. */
export const PAGE_TIMEOUT_MS = 120_000

/** Nothing is refused that a link may have: the user names the URL, on the user's own machine. */
export const SOURCE_RULES = { ownHosts: new Set<string>(), allowPrivate: true, blocks: new Blocks() }

/**
 * The client of a command. Private addresses and any port are allowed, because only the server that the user of the command names
 * is connected to: a redirect to another is not followed. What it may reach, the user reaches without it.
 */
export const commandClient = (timeoutMs = PAGE_TIMEOUT_MS): GuardedClient =>
  new GuardedClient({
    resolve: systemResolver,
    isAllowedAddress: () => true,
    isAllowedName: () => true,
    isAllowedPort: () => true,
    destinationRules: SOURCE_RULES,
    userAgent: `Tern/${VERSION}`,
    timeoutMs,
  })

/** `url`: absent for where the service is. */
export type NetworkPlace = { url: string | undefined; key: string }

/** `path`: what a report calls the source. Requests nothing before items are read. */
export function openNetworkSource(
  deps: PageClientDeps,
  source: NetworkSource,
  { url = source.api.defaultUrl, key, ...choices }: NetworkPlace & NetworkChoices,
): OpenedSource & { path: string } {
  const { title, api } = source
  if (url === undefined) throw refusal(`Name the URL of ${title} with --url.`)
  const path = readUrl(url)
  const client = new PageClient(deps, { title, url: path, ...api.credentials(key) })
  return {
    path,
    description: [`links of ${title}, by its API`],
    items: readNetworkLinks(client, source, choices),
  }
}

function readUrl(text: string): string {
  const read = sourceUrl(text)
  if ('error' in read) throw refusal(read.error.replace('The :attribute', '--url'))
  return read.url
}

/** The URL of an API without a slash at its end, so that paths can follow, or what is wrong with it. */
export function sourceUrl(text: string): { url: string } | { error: string } {
  const read = readDestination(text, SOURCE_RULES)
  if ('error' in read) return read
  if (/[?#]/.test(read.href))
    return { error: 'The :attribute may have no query: the key is given by itself.' }
  return { url: read.href.replace(/\/+$/, '') }
}

const refusal = (sentence: string): Refusal => new Refusal('command_failed', sentence)
