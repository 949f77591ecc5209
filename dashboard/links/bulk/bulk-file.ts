export type BulkFile = { text: string; isWindows1252: boolean }

/** The text of a CSV file, in the encodings that spreadsheets write. Undefined if it is not text. */
export function decodeFile(bytes: Uint8Array): BulkFile | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return { text: new TextDecoder(utf16).decode(bytes), isWindows1252: false }
  if (bytes.includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isWindows1252: false }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isWindows1252: true }
  }
}

/** By its byte order mark, which "Unicode text" of Excel has. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
