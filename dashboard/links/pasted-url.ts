/** More than one line with something on it. */
export const isSeveralLines = (text: string): boolean => /\S\s*[\r\n]\s*\S/.test(text)

/** People paste `example.com/a`: what has no scheme but looks like a host gets the one that nearly all have. */
export const withScheme = (text: string): string =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?([/?#]|$)/i.test(text) ? `https://${text}` : text

export const looksLikeUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(withScheme(text))
