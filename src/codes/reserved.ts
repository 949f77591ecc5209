/**
 * Words that never become codes, in lower case. Two kinds: every first path segment of ours, present or likely to
 * come, and words a stranger could use to speak for the service. Dotted names (`robots.txt`) need no entry: a code has no dot.
 */
export const RESERVED: ReadonlySet<string> = new Set(
  [
    'api app assets dashboard docs info public qr static www',
    'admin account accounts api-keys billing keys links me settings user users webhooks',
    'auth callback forgot-password login logout oauth password register reset reset-password',
    'session sessions sign-in sign-out sign-up signin signout signup sso unsubscribe verify verify-email',
    'analytics health healthz livez metrics openapi ready readyz stats status version',
    'abuse about bulk-shorten help mail preview privacy report security terms',
    'cdn-cgi edit favicon new null robots root sitemap undefined well-known',
  ].flatMap((line) => line.split(' ')),
)

/** Compared in lower case, so that `/Login` cannot pass for `/login`. */
export const isReserved = (code: string): boolean => RESERVED.has(code.toLowerCase())
