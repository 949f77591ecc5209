export const isMultiline = (text: string): boolean => /\S\s*[\r\n]\s*\S/.test(text)

/** Adds `https://` to text without a scheme that looks like a host. */
export const withScheme = (text: string): string =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?([/?#]|$)/i.test(text) ? `https://${text}` : text

export const looksLikeUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(withScheme(text))
