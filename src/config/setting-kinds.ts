import { isPathPrefix } from './path-prefix.ts'
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export type SettingKind<T> = {
  /** In words; completes "must be …". */
  allowed: string
  /** The value; undefined if the text is invalid. */
  read(text: string): T | undefined
  /** Why a text is invalid, where that can be told without repeating it. */
  hint?(text: string): string | undefined
}

/** Both ends are included, and written as an operator writes them. */
type Range = { min: string; max: string; why?: string }

const DURATION_UNITS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

const SIZE_UNITS = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
])

export function wholeNumber(min: number, max: number): SettingKind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    read: (text) => (/^\d{1,15}$/.test(text) ? within(Number(text), min, max) : undefined),
  }
}

/** In milliseconds: `72h`, `3d`, `30m`, `500ms`. */
export const duration = (range: Range) => measure('a duration such as 30m, 72h or 3d', DURATION_UNITS, range)

/** In bytes: `64MiB`, `1GiB`, `65536`. */
export const byteSize = (range: Range) => measure('a size such as 512KiB or 64MiB', SIZE_UNITS, range)

export function choice<const Word extends string>(...words: Word[]): SettingKind<Word> {
  return {
    allowed: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  }
}

export const flag: SettingKind<boolean> = {
  allowed: '1 or 0 (true or false)',
  read: (text) =>
    new Map([
      ['1', true],
      ['true', true],
      ['0', false],
      ['false', false],
    ]).get(text.toLowerCase()),
}

/** Scheme, host and port in normal form, and the path, without a slash at the end. */
export const baseUrl: SettingKind<string> = {
  allowed: 'a URL such as https://s.example.com or https://example.com/links, without a query or user name',
  // Checked before parsing: URL silently corrects errors that the operator should know about.
  read(text) {
    const [, path] = /^https?:\/\/[^\s/?#@\\]+((?:\/[^/]*)*?)\/?$/i.exec(text) ?? []
    if (path === undefined || (path !== '' && !isPathPrefix(path))) return undefined
    const url = parsedUrl(text)
    return url && url.origin + path
  },
}

export const listenAddress: SettingKind<string> = {
  allowed: 'an IP address or a host name to listen on',
  read: (text) =>
    isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined,
}

/** Syntax only: network/client-ip.ts parses it. */
export const networks: SettingKind<string> = {
  allowed: 'IP addresses, networks or loopback, separated by commas: loopback, 10.0.0.0/8, fd00::/8',
  read: (text) => (text === '' || text.split(',').every((part) => isNetwork(part.trim())) ? text : undefined),
}

/** They run in the page that opens them, or read the visitor's files. */
const UNSAFE_SCHEMES = new Set('javascript data file vbscript blob filesystem about view-source'.split(' '))
const SCHEME = /^[a-z][a-z0-9+.-]{0,62}$/

export const destinationSchemes: SettingKind<readonly string[]> = {
  allowed: 'schemes separated by commas, https among them, without javascript, data, file, vbscript and blob',
  read(text) {
    const schemes = text.split(',').map((part) => part.trim().toLowerCase())
    const areSafe = schemes.every((scheme) => SCHEME.test(scheme) && !UNSAFE_SCHEMES.has(scheme))
    return areSafe && schemes.includes('https') ? [...new Set(schemes)] : undefined
  },
}

export const existingFile: SettingKind<string> = {
  allowed: 'the path of a file that exists',
  read: (text) => (statSync(text, { throwIfNoEntry: false })?.isFile() ? resolve(text) : undefined),
}

/** Made absolute, so that it is the same folder everywhere. Created when the store is opened. */
export const folder: SettingKind<string> = {
  allowed: 'the path of a folder',
  read: (text) => (text.includes('\0') ? undefined : resolve(text)),
}

export const label: SettingKind<string> = {
  allowed: 'up to 63 letters, digits, dots, hyphens and underscores, the first a letter or digit',
  read: (text) => (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text) ? text : undefined),
}

/** Too long to guess, and valid in an Authorization header (RFC 6750, section 2.1). */
export const token: SettingKind<string> = {
  allowed: 'from 16 to 256 letters, digits and -._~+/=',
  read: (text) => (/^[A-Za-z0-9._~+/=-]{16,256}$/.test(text) ? text : undefined),
}

/** Of another program, valid in a header. */
export const foreignKey: SettingKind<string> = {
  allowed: 'up to 1,024 letters, digits and signs of ASCII, without spaces',
  read: (text) => (/^[\x21-\x7e]{1,1024}$/.test(text) ? text : undefined),
}

/** A `Contact:` of security.txt (RFC 9116, section 2.5.3). */
export const contactUri: SettingKind<string> = {
  allowed: 'a mailto: or https: URL',
  read(text) {
    if (/^mailto:[^\s@]+@[^\s@]+$/i.test(text)) return text
    return /^https:\/\/\S+$/i.test(text) && parsedUrl(text) ? text : undefined
  },
}

const encodingHint = (scheme: RegExp) => (text: string) =>
  scheme.test(text) && /[@#]/.test(text)
    ? 'In the user name and the password, percent-encode # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.'
    : undefined

const SMTP = /^smtps?:\/\//i
const POSTGRES = /^postgres(ql)?:\/\//i
const HTTP = /^https?:\/\//i

/**
 * A URL with a user name and password, or without. Undefined where a character of the password was not percent-encoded, so that the
 * parser would take a part of it for the host, the path or the query.
 */
function credentialUrl(text: string, scheme: RegExp): URL | undefined {
  const [start] = scheme.exec(text) ?? []
  if (start === undefined || /[\s#]/.test(text)) return undefined
  const [authority = '', path = '', query = ''] = partsOfUrl(text.slice(start.length))
  const at = authority.lastIndexOf('@')
  const credentials = at === -1 ? '' : authority.slice(0, at)
  const isCut = path.includes('@') || (query.includes('@') && !/^\?[a-z_.]+=/i.test(query))
  if (credentials.includes('@') || isCut || !isPercentEncoded(credentials)) return undefined
  const url = parsedUrl(text)
  return url?.hostname ? url : undefined
}

/** `user:password@host:port`, `/path` and `?query`. */
const partsOfUrl = (rest: string): string[] => /^([^/?]*)([^?]*)(.*)$/.exec(rest)?.slice(1) ?? []

function isPercentEncoded(text: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(text)) return false
  try {
    return decodeURIComponent(text).length > 0 || text === ''
  } catch {
    return false
  }
}

export const smtpUrl: SettingKind<string> = {
  allowed: 'a URL such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
  read: (text) => (credentialUrl(text, SMTP) === undefined ? undefined : text),
  hint: encodingHint(SMTP),
}

/** `Name <address>` or the bare address. */
export const mailSender: SettingKind<string> = {
  allowed: 'an email address, with or without a name: Links <links@example.com>',
  read: (text) =>
    /^(?:[^<>@\p{Cc}]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u.test(text) ? text : undefined,
}

/** No longer than the channel with its name may be, and nothing that a statement would have to quote. */
const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,49}$/

/** User, password, host and database; options of the driver after a question mark. */
export const postgresUrl: SettingKind<string> = {
  allowed: 'a URL such as postgres://user:password@db.example.com:5432/tern',
  read(text) {
    const url = credentialUrl(text, POSTGRES)
    const isUsable = SCHEMA_NAME.test(url?.searchParams.get('schema') ?? 'public')
    return /^\/[^/]/.test(url?.pathname ?? '') && isUsable ? text : undefined
  },
  hint: encodingHint(POSTGRES),
}

/** User, password, host and database, of its HTTP interface. */
export const clickHouseUrl: SettingKind<string> = {
  allowed: 'a URL such as https://user:password@clickhouse.example.com:8443/tern',
  read(text) {
    const url = credentialUrl(text, HTTP)
    return /^\/[^/]+$/.test(url?.pathname ?? '') && url?.search === '' ? text : undefined
  },
  hint: encodingHint(HTTP),
}

export const optional = <T>(kind: SettingKind<T>): SettingKind<T | undefined> => kind

function measure(shape: string, units: Map<string, number>, range: Range): SettingKind<number> {
  const min = inUnits(range.min, units) ?? 0
  const max = inUnits(range.max, units) ?? 0
  return {
    allowed: `${shape}, from ${range.min} to ${range.max}${range.why ? ` (${range.why})` : ''}`,
    read: (text) => within(inUnits(text, units), min, max),
  }
}

function inUnits(text: string, units: Map<string, number>): number | undefined {
  // 0 needs no unit.
  if (text === '0') return 0
  const [, digits, unit = ''] = /^(\d{1,12})([a-z]*)$/i.exec(text) ?? []
  const factor = units.get(unit)
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function isNetwork(text: string): boolean {
  if (text.toLowerCase() === 'loopback') return true
  const [address = '', prefixBits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (prefixBits === undefined) return true
  return /^\d{1,3}$/.test(prefixBits) && Number(prefixBits) <= (version === 4 ? 32 : 128)
}
