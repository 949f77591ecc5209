import type { Domains } from './domains.ts'

/** With the query, as sent. */
type PathOnHost = { host: string; path: string }

/**
 * Short URLs of a domain may begin with a path: `/go/launch` is then the same as `/launch`. Undefined for a request without that
 * prefix, which is served as it is.
 */
export function behindPrefix<Request extends PathOnHost>(
  request: Request,
  domains: Pick<Domains, 'idOf' | 'prefixOf'>,
): (Request & { prefix: string }) | undefined {
  const { host, path } = request
  const prefix = domains.prefixOf(domains.idOf(host))
  if (prefix === '' || !path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return { ...request, prefix, path: `/${rest}` }
  return rest.startsWith('/') ? { ...request, prefix, path: rest } : undefined
}
