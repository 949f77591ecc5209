/** The domain of `BASE_URL`. */
export const DEFAULT_DOMAIN = 0

export const CODE_LENGTH_MIN = 3
export const CODE_LENGTH_MAX = 64

export const CODE_PATTERN = new RegExp(`^[A-Za-z0-9_-]{${CODE_LENGTH_MIN},${CODE_LENGTH_MAX}}$`)
export const CODE_CHARACTERS = /^[A-Za-z0-9_-]*$/

/** Checked for the path of every redirect, before any lookup. */
export const couldBeCode = (text: string): boolean => CODE_PATTERN.test(text)

/**
 * Words that never become codes, in lower case: every first segment of our own paths, present or likely to come, and
 * words with which a stranger could pose as the service. A name with a dot (`robots.txt`) cannot be a code anyway.
 */
export const RESERVED: ReadonlySet<string> = new Set(
  [
    'api app assets dashboard docs info public qr static www',
    'admin account accounts api-keys billing keys links me settings user users webhooks',
    'auth callback forgot-password login logout oauth password register reset reset-password',
    'session sessions sign-in sign-out sign-up signin signout signup sso unsubscribe verify verify-email',
    'analytics health healthz livez metrics openapi ready readyz stats status version',
    'abuse about bulk-shorten help mail own-traffic preview privacy report security share terms',
    'cdn-cgi edit favicon new null robots root sitemap undefined well-known',
  ].flatMap((line) => line.split(' ')),
)

/** In lower case, so that `/Login` cannot pass for `/login`. */
export const isReserved = (code: string): boolean => RESERVED.has(code.toLowerCase())
