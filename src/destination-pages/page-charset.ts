/** How far browsers look for a declaration (HTML, 13.2.3.2). */
const PRESCAN_BYTES = 1_024

const MARKS: readonly [start: RegExp, charset: string][] = [
  [/^\xef\xbb\xbf/, 'utf-8'],
  [/^\xfe\xff/, 'utf-16be'],
  [/^\xff\xfe/, 'utf-16le'],
]

/**
 * The text of a page, by its byte order mark, the Content-Type, or a declaration in the page, in this order. An unknown charset counts
 * as none, and a page without one is in UTF-8 if it can be, else in windows-1252, as in browsers.
 */
export function decodedPage(contentType: string, bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  const marked = MARKS.find(([mark]) => mark.test(start))?.[1]
  const decoder = decoderOf(marked ?? charsetIn(contentType) ?? declared(start))
  // As a stream, because the end of the page may be cut off within a character.
  if (decoder !== undefined) return decoder.decode(bytes, { stream: true })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset as Bun.Encoding)
  } catch {
    return undefined
  }
}

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1]

/** A page whose declaration could be read is not in UTF-16, whatever it says. */
function declared(start: string): string | undefined {
  // In a comment, it declares nothing.
  for (const [meta] of start.matchAll(/<!--[^]*?(?:-->|$)|<meta[\s/][^>]*>/gi)) {
    if (meta.startsWith('<!--')) continue
    const charset = charsetIn(meta)
    if (charset !== undefined) return /^utf-?16/i.test(charset) ? 'utf-8' : charset
  }
  return undefined
}
