const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]{1,64}){1,3}$/
/** First segments of this server's own paths, which are served without the prefix too. */
const OWN =
  /^\/(?:api|assets|dashboard|docs|favicon\.\w+|metrics|own-traffic|qr|report|robots\.txt|share|unsubscribe|\.well-known)(?:\/|$)/i

/** Whether short URLs may have this between the host and the code: up to three segments. */
export const isPathPrefix = (path: string): boolean => PREFIX.test(path) && !OWN.test(path)
