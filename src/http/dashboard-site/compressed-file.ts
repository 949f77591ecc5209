/**
 * The page for a browser with a session cookie. `/` and the first path segment of a page follow: its HTML names the chunks
 * of that page. These paths cannot be requested.
 */
export type SignedInPage = '/dashboard/#signed-in' | `/dashboard/#signed-in/${string}`

/** One file of the built dashboard. The build is one JSON file of these, so it is complete or absent. */
export type PackedFile = {
  /** `/dashboard/` and SignedInPage for the page itself, `/dashboard/assets/…` for everything else. */
  path: string
  contentType: string
  /** Base64. A compressed form is absent if it would save nothing. */
  identity: string
  br?: string
  gzip?: string
}
