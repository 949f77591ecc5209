import { Refusal } from '../../errors/refusal.ts'

/** `/api/links/{short_code}` as Hono spells it. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Path and query must be percent-encoded UTF-8. The path must not contain a NUL. */
export function refuseBadEncoding(target: string): void {
  try {
    decodeURIComponent(target)
  } catch {
    throw new Refusal('url_malformed', 'The URL is not percent-encoded correctly.')
  }
  // No name contains one, and PostgreSQL rejects a text that does.
  if (/^[^?#]*%00/.test(target)) throw new Refusal('not_found', 'Not found.')
}
