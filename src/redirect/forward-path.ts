import { splitQuery } from '../links/destinations/query-pairs.ts'
import { unlessTooLong, WEB } from './forward-query.ts'

/**
 * The destination with the visitor's path behind its own, before query and fragment: one slash between them, whether or not the
 * destination ends with one. The path starts with a slash, so it never becomes a part of the host. A URL that would become too long
 * for proxies stays as it is.
 */
export function forwardPath(destination: string, path: string): string {
  if (path === '' || !WEB.test(destination)) return destination
  const { path: own } = splitQuery(destination)
  const start = own.endsWith('/') ? own.slice(0, -1) : own
  return unlessTooLong(start + path + destination.slice(own.length), destination)
}
