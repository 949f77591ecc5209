/** How far browsers look for a declaration (HTML, 13.2.3.2). */
const PRESCAN_BYTES = 1_024
const DEFAULT_CHARSET = 'utf-8'

const MARKS: readonly [start: RegExp, charset: string][] = [
  [/^\xef\xbb\xbf/, 'utf-8'],
  [/^\xfe\xff/, 'utf-16be'],
  [/^\xff\xfe/, 'utf-16le'],
]

/** By the byte order mark, the Content-Type, or a declaration in the page, in this order; an unknown one counts as UTF-8. */
export function pageDecoder(contentType: string, bytes: Uint8Array): TextDecoder {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  const marked = MARKS.find(([mark]) => mark.test(start))?.[1]
  const named = marked ?? charsetIn(contentType) ?? declared(start) ?? DEFAULT_CHARSET
  try {
    return new TextDecoder(named as Bun.Encoding)
  } catch {
    return new TextDecoder(DEFAULT_CHARSET)
  }
}

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1]

/** A page whose declaration could be read is not in UTF-16, whatever it says. */
function declared(start: string): string | undefined {
  for (const [meta] of start.matchAll(/<meta\s[^>]*>/gi)) {
    const charset = charsetIn(meta)
    if (charset !== undefined) return /^utf-?16/i.test(charset) ? DEFAULT_CHARSET : charset
  }
  return undefined
}
