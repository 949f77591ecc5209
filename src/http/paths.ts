import { Refusal } from '../refusal.ts'

/** `/api/links/{short_code}` as Hono spells it. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** What a path looks like, whatever the method. */
export function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Path and query must be percent-encoded UTF-8. */
export function refuseBadEncoding(target: string): void {
  try {
    decodeURIComponent(target)
  } catch {
    throw new Refusal('malformed', 'The address is not percent-encoded correctly.')
  }
}
