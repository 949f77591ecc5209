/** The page as it first looks to who comes with a session. It is no path that can be asked for. */
export type SignedInPage = '/dashboard/#signed-in'

/** One file of the built dashboard. The whole build is one JSON file of these, so it is there whole or not at all. */
export type PackedFile = {
  /** `/dashboard/` for the page itself, SignedInPage for its other look, `/dashboard/assets/…` for everything else. */
  path: string
  contentType: string
  /** Base64. The compressed forms are absent where they would save nothing. */
  identity: string
  br?: string
  gzip?: string
}
