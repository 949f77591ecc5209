/**
 * The code log is text, a line for each code that was claimed, in the order in which they were claimed:
 *
 *   first line   CRC32 of the rest, 8 hex digits | "tern-codes-1" | the log's own id, a UUID
 *   every other  CRC32 of the rest, 8 hex digits | account | link | code
 *
 * with a blank between the parts. A line is whole when its checksum holds, whatever stands before it, so damage costs
 * the lines that it hits and no other.
 */
export type ClaimedCode = {
  code: string
  /** 0: nobody's any more. */
  accountId: number
  /** 0: its link is gone. */
  linkId: number
}

const FORMAT = 'tern-codes-1'
const HEAD = /^tern-codes-1 ([0-9a-f-]{36})$/
const CLAIM = /^(\d{1,16}) (\d{1,16}) ([A-Za-z0-9_-]{1,64})$/
const CHECKSUM_CHARS = 8

/** The first line has always as many bytes, so that the lines behind it begin in a known place. */
export const HEAD_BYTES = CHECKSUM_CHARS + 1 + FORMAT.length + 1 + 36 + 1

export const headLine = (log: string): string => checked(`${FORMAT} ${log}`)

export const claimLine = ({ code, accountId, linkId }: ClaimedCode): string =>
  checked(`${accountId} ${linkId} ${code}`)

/** The log's id; undefined where the first line cannot be read. */
export function readHeadLine(line: string): string | undefined {
  return HEAD.exec(contentOf(line) ?? '')?.[1]
}

/** Undefined where the line is damaged, or none of ours. */
export function readClaimLine(line: string): ClaimedCode | undefined {
  const [, account, link, code] = CLAIM.exec(contentOf(line) ?? '') ?? []
  return code === undefined ? undefined : { code, accountId: Number(account), linkId: Number(link) }
}

const checked = (content: string) => `${checksumOf(content)} ${content}\n`

function contentOf(line: string): string | undefined {
  const content = line.slice(CHECKSUM_CHARS + 1)
  return line === `${checksumOf(content)} ${content}` ? content : undefined
}

function checksumOf(content: string): string {
  return Bun.hash.crc32(content).toString(16).padStart(CHECKSUM_CHARS, '0')
}
