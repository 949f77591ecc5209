import { cutMiddle, withoutScheme } from '../../format.ts'

// What rows show of a link: those that React draws, and the first ones, which are shown before it has loaded.

const DESTINATION_CHARS = 72

export const destinationText = (url: string): string => cutMiddle(withoutScheme(url), DESTINATION_CHARS)

/** The host with its slash, and the code. */
export function partsOfShortUrl(url: string): [host: string, code: string] {
  const text = withoutScheme(url)
  const codeAt = text.lastIndexOf('/') + 1
  return [text.slice(0, codeAt), text.slice(codeAt)]
}
