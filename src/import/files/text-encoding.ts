import { Refusal } from '../../errors/refusal.ts'
import { type ImportFile, unreadable } from './import-file.ts'

// The encodings in which spreadsheets and programs write text.

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** The encoding that is named, or that the bytes have. The file is read to its end: the first bytes may be plain ASCII. */
export async function encodingOf(file: ImportFile, named?: string): Promise<Encoding> {
  if (named !== undefined) return knownEncoding(named)
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => file.head[at] === byte))
  if (marked !== undefined) return marked[0]
  const wide = wideEncoding(file.head)
  if (wide !== undefined) return wide
  return (await isUtf8(file)) ? 'utf-8' : 'windows-1252'
}

function knownEncoding(named: string): Encoding {
  const encoding = ENCODINGS.find((each) => each === named.toLowerCase())
  if (encoding === undefined) throw unreadable('--encoding', `must be one of ${ENCODINGS.join(', ')}.`)
  return encoding
}

/** Latin text in UTF-16 has a zero in every second byte. */
function wideEncoding(head: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of head.subarray(0, 1024).entries()) if (byte === 0) zeros[at % 2]!++
  const half = Math.min(head.length, 1024) / 2
  if (zeros[1]! > half / 2 && zeros[0] === 0) return 'utf-16le'
  return zeros[0]! > half / 2 && zeros[1] === 0 ? 'utf-16be' : undefined
}

async function isUtf8(file: ImportFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of file.chunks()) {
      // Known before anything is imported.
      if (chunk.includes(0)) throw await notText(file, 'utf-8')
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof Refusal) throw error
    return false
  }
}

/** The text of the file, without a byte order mark. */
export async function* textOf(file: ImportFile, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of file.chunks()) {
    const text = decoder.decode(chunk, { stream: true })
    if (text.includes('\0')) throw await notText(file, encoding)
    yield text
  }
  yield decoder.decode()
}

/** The first bytes as text; their last character may be cut. */
export const headText = (file: ImportFile, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(file.head, { stream: true })

/** With the line of the first NUL. */
async function notText(file: ImportFile, encoding: Encoding): Promise<Refusal> {
  const decoder = new TextDecoder(encoding)
  let line = 1
  for await (const chunk of file.chunks()) {
    const text = decoder.decode(chunk, { stream: true })
    const end = text.indexOf('\0')
    line += linesIn(end < 0 ? text : text.slice(0, end))
    if (end >= 0) break
  }
  return unreadable(file.path, `is not a text file: there is a NUL byte in line ${line}.`)
}

function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
