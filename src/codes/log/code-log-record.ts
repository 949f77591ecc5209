import { DEFAULT_DOMAIN } from '../code-rules.ts'

/**
 * The code log is text, with one line for each code that was claimed, in the order of the claims:
 *
 *   first line   CRC32 of the rest, 8 hex digits | "tern-codes-1" | the id of the log, a UUID
 *   format 1     CRC32 of the rest, 8 hex digits | workspace | link | code
 *   format 2     CRC32 of the rest, 8 hex digits | domain | workspace | link | code
 *
 * with a blank between the parts, and the code percent-encoded where it is not a plain one. A line is valid if its checksum is, so
 * damage costs the lines that it hits and no other.
 *
 * Each line says its format by the number of its parts, so an older log is continued as it is. Codes of the default domain
 * are written in format 1: the previous version, which an operator may return to with a backup, must not give them away.
 */
export type ClaimedCode = {
  domainId: number
  code: string
  /** 0: the owner is gone. */
  workspaceId: number
  /** 0: its link is gone. */
  linkId: number
}

const FORMAT = 'tern-codes-1'
const HEAD = /^tern-codes-1 ([0-9a-f-]{36})$/
const CLAIM = /^(?:(\d{1,16}) )?(\d{1,16}) (\d{1,16}) ([\w.!~*'()%-]{1,765})$/
const CHECKSUM_CHARS = 8

/** The first line has always as many bytes, so that the lines behind it begin in a known place. */
export const HEAD_BYTES = CHECKSUM_CHARS + 1 + FORMAT.length + 1 + 36 + 1

export const headRecord = (log: string): string => withChecksum(`${FORMAT} ${log}`)

export function claimRecord({ domainId, code, workspaceId, linkId }: ClaimedCode): string {
  const claim = `${workspaceId} ${linkId} ${encodeURIComponent(code)}`
  return withChecksum(domainId === DEFAULT_DOMAIN ? claim : `${domainId} ${claim}`)
}

/** The log's id; undefined where the first line cannot be read. */
export function readHeadRecord(line: string): string | undefined {
  return HEAD.exec(contentOf(line) ?? '')?.[1]
}

/** Undefined if the line is damaged or is not a claim. */
export function readClaimRecord(line: string): ClaimedCode | undefined {
  const [, domain = DEFAULT_DOMAIN, workspace, link, code] = CLAIM.exec(contentOf(line) ?? '') ?? []
  if (code === undefined) return undefined
  return {
    domainId: Number(domain),
    code: decodeURIComponent(code),
    workspaceId: Number(workspace),
    linkId: Number(link),
  }
}

const withChecksum = (content: string) => `${checksumOf(content)} ${content}\n`

function contentOf(line: string): string | undefined {
  const content = line.slice(CHECKSUM_CHARS + 1)
  return line === `${checksumOf(content)} ${content}` ? content : undefined
}

function checksumOf(content: string): string {
  return Bun.hash.crc32(content).toString(16).padStart(CHECKSUM_CHARS, '0')
}
