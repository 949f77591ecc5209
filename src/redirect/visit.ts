import type { LinkKey } from '../links/link-key.ts'

/** A request for a short URL, whichever server has read it. */
export type Visit = LinkKey & {
  method: string
  /** As sent, with its port. It names the domain. */
  host: string
  /** Without the "?" and percent-encoded as in a URL; '' if there is none. */
  query: string
  /** What follows the code, with its slash and percent-encoded as in a URL: `/page/2`. Absent in most visits. */
  path?: string | undefined
  /** Where the path of the request began with the prefix of the domain: `/go`. */
  prefix?: string | undefined
  /** It is a short URL only if there is such a link. */
  isGuess?: true
  ip: string
  /** Null if absent. Repeated fields are joined with a comma, cookies with a semicolon. */
  header: (name: VisitHeader) => string | null
}

/** Every header that a redirect may read. The redirect server compiles only if it reads each of them from the head. */
export type VisitHeader =
  | 'accept'
  | 'accept-language'
  | 'cookie'
  | 'dnt'
  | 'purpose'
  | 'referer'
  | 'sec-fetch-mode'
  | 'sec-gpc'
  | 'sec-purpose'
  | 'user-agent'
  | 'x-moz'
