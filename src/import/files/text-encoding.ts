import { Refusal } from '../../errors/refusal.ts'
import { type ImportFile, unreadable } from './import-file.ts'

// The encodings in which spreadsheets and programs write text.

/** Those from windows-1250 on are read where they are named: their bytes are those of windows-1252, too. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The encoding that is named, or that the bytes have. The file is read to its end: the first bytes may be plain ASCII. Refused if some of its
 * text would be damaged.
 */
export async function encodingOf(file: ImportFile, named?: string): Promise<Encoding> {
  const encoding = named === undefined ? markedEncoding(file.head) : knownEncoding(named)
  if (encoding === undefined) return recognizedEncoding(file)
  if (!encoding.startsWith('utf-')) await refuseUtf8(file, encoding)
  if (!(await isWholeIn(file, encoding))) throw await otherBytes(file, encoding)
  return encoding
}

function markedEncoding(head: Uint8Array): Encoding | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte))
  return marked?.[0] ?? wideEncoding(head)
}

async function recognizedEncoding(file: ImportFile): Promise<Encoding> {
  if (await isWholeIn(file, 'utf-8')) return 'utf-8'
  // Letters of several bytes are no accident, so it is a file in UTF-8 that is damaged or was cut.
  if ((await lineWith(file, 'utf-8', BEYOND_ASCII)) !== undefined) throw await otherBytes(file, 'utf-8')
  // Any bytes are letters there, but no NUL.
  await isWholeIn(file, 'windows-1252')
  return 'windows-1252'
}

/** In most of the others, any bytes are letters. */
async function refuseUtf8(file: ImportFile, encoding: Encoding): Promise<void> {
  if (!(await isWholeIn(file, 'utf-8'))) return
  const line = await lineWith(file, 'utf-8', BEYOND_ASCII)
  if (line !== undefined)
    throw unreadable(
      file.path,
      `is in utf-8: in ${encoding}, line ${line} would have other letters. Leave --encoding out.`,
    )
}

const otherBytes = async (file: ImportFile, encoding: Encoding): Promise<Refusal> =>
  unreadable(
    file.path,
    `is not in ${encoding} as a whole: line ${await lineWith(file, encoding, UNREAD)} has bytes that are no letters there. Correct the line, or name the encoding of the file with --encoding.`,
  )

const UNREAD = /\uFFFD/
const BEYOND_ASCII = /[^\0-\x7F\uFEFF\uFFFD]/

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

async function isWholeIn(file: ImportFile, encoding: Encoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of file.chunks())
      // Known before anything is imported.
      if (decoder.decode(chunk, { stream: true }).includes('\0')) throw await notText(file, encoding)
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
  for await (const chunk of file.chunks()) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** The first bytes as text; their last character may be cut. */
export const headText = (file: ImportFile, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(file.head, { stream: true })

const notText = async (file: ImportFile, encoding: Encoding): Promise<Refusal> =>
  unreadable(
    file.path,
    `is not a text file: there is a NUL byte in line ${await lineWith(file, encoding, /\0/)}.`,
  )

/** The first line in which a character is found. */
async function lineWith(
  file: ImportFile,
  encoding: Encoding,
  character: RegExp,
): Promise<number | undefined> {
  let line = 1
  for await (const text of textOf(file, encoding)) {
    const at = text.search(character)
    if (at >= 0) return line + linesIn(text.slice(0, at))
    line += linesIn(text)
  }
  return undefined
}

function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
