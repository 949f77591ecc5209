/** A request that the key's scopes allow. */
export function curlCommand(baseUrl: string, key: string, scopes: ReadonlySet<string>): string {
  if (!scopes.has('links:write') && !scopes.has('links:create')) {
    const path = scopes.has('links:read') ? '/api/links' : '/api/analytics/overview'
    return `curl ${baseUrl}${path} \\\n  -H "X-API-Key: ${key}"`
  }
  return [
    `curl ${baseUrl}/api/links \\`,
    `  -H "X-API-Key: ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"original_url": "https://example.com/a/long/url"}'`,
  ].join('\n')
}
