/** What short URLs of a domain begin with, before the server has said it. */
export function rootOf(domain: string, { base_url: baseUrl }: { base_url: string }): string {
  const { protocol, host } = new URL(baseUrl)
  return domain === '' || domain === host ? baseUrl : `${protocol}//${domain}`
}
