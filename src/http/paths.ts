import { Refusal } from '../refusal.ts'

/** `/api/links/{short_code}` as Hono spells it. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** What a path looks like, whatever the method. */
export function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Path and query must be percent-encoded UTF-8, the path without a NUL. */
export function refuseBadEncoding(target: string): void {
  try {
    decodeURIComponent(target)
  } catch {
    throw new Refusal('malformed', 'The URL is not percent-encoded correctly.')
  }
  // No name has it, and PostgreSQL would not even be asked for one that had.
  if (/^[^?]*%00/.test(target)) throw new Refusal('not-found', 'Not found.')
}
