import type { SourceLink } from '../source.ts'
import { answerIn, isNone, limitIn, listIn, passwordIn } from './cell-values.ts'
import { type ColumnKind, type Columns, isUrl } from './csv-columns.ts'
import type { ClickTable } from './table-of-clicks.ts'
import { wholeNumber } from './field-reader.ts'
import { type DateOrder, readTime } from './read-date.ts'

/** What is special about the tables of one program. */
export type CsvDialect = {
  /** The columns of a table without a row of names, if it has as many. */
  names?: readonly string[]
  tagSeparator?: string
  /** Another table of the program: of clicks. */
  clickTable?: ClickTable
  cell?(cell: string): string
  /** `cell`: of the column with this name. A row is several links if its short URLs are on several domains. */
  links?(link: SourceLink, cell: (name: string) => string): SourceLink | SourceLink[]
}

type Table = { columns: Columns; header: readonly string[] | undefined; order: DateOrder | undefined }
export type ReadRow = { links: SourceLink[] } | { refused: string }

/** With or without its scheme; a port, a query or a fragment is no part of a code. */
const SHORT_URL = /^(?:https?:\/\/)?([^/?#\s:]+\.[^/?#\s:]+|localhost)(?::\d+)?\/([^?#]*)/i

const BARE_HOST = /^https?:\/\/[^/?#\s]+\/?$/i

/** The host and the code of a short URL. Undefined if it is none. */
export function shortUrlParts(text: string): { domain: string; code: string } | undefined {
  const [, host, path] = SHORT_URL.exec(text) ?? []
  return host === undefined || path === undefined || path === ''
    ? undefined
    : { domain: host.toLowerCase(), code: decoded(path.replace(/(?<=[^/])\/$/, '')) }
}

/** Some programs write letters beyond ASCII percent-encoded, as in any URL, and others as they are. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function rowReader({ columns, header, order }: Table, dialect: CsvDialect) {
  const { cell: plain = asWritten, links: adjusted = asWritten, tagSeparator = /[,;|]/ } = dialect
  return (row: readonly string[]): ReadRow => {
    if (header !== undefined && row.slice(header.length).some((cell) => cell !== ''))
      return { refused: `The row has ${row.length} values for ${header.length} columns.` }
    const cells = row.map(plain)
    const shortUrl = cells[columns.get('short-url') ?? -1] ?? ''
    if (BARE_HOST.test(shortUrl)) return { refused: `${shortUrl} has no code: it is the page of a domain.` }
    const link = linkOf(
      (kind) => {
        const cell = cells[columns.get(kind) ?? -1] ?? ''
        // A code may be any word.
        return cell === '' || (kind !== 'code' && isNone(cell)) ? undefined : cell
      },
      { order, tagSeparator },
    )
    return { links: [adjusted(link, (name) => cells[header?.indexOf(name) ?? -1] ?? '')].flat() }
  }
}

const asWritten = <Value>(value: Value): Value => value

/** Without the apostrophe in front of what a spreadsheet would take for a formula. */
export const withoutFormulaMark = (cell: string): string =>
  cell.replace(/^'(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/, '')

type Cell = (kind: ColumnKind) => string | undefined

const SHOWN_LENGTH_MAX = 80
const NO_NUMBER = 'is no whole number, so it is left out.'
const NO_LIMIT = 'is no limit of clicks, so it is left out.'
const NO_ANSWER = 'does not say whether the link is archived, so it is not.'

type Reading = { order: DateOrder | undefined; tagSeparator: string | RegExp }

function linkOf(cell: Cell, { order, tagSeparator }: Reading): SourceLink {
  const lost: string[] = []
  const timeOf = (kind: ColumnKind): string | undefined => {
    const text = cell(kind)
    return text === undefined ? undefined : readTime(text, lost, order)
  }
  const valueOf = <Value>(kind: ColumnKind, read: (text: string) => Value | undefined, fault: string) => {
    const text = cell(kind)
    const value = text === undefined ? undefined : read(text)
    if (text !== undefined && value === undefined) lost.push(`"${text.slice(0, SHOWN_LENGTH_MAX)}" ${fault}`)
    return value
  }
  return {
    ...placeOf(cell),
    destination: cell('destination'),
    title: cell('title'),
    notes: cell('notes'),
    tags: listIn(cell('tags') ?? '', tagSeparator),
    folder: cell('folder'),
    externalId: cell('external-id'),
    createdAt: timeOf('created'),
    startsAt: timeOf('starts'),
    expiresAt: timeOf('expires'),
    maxClicks: valueOf('max-clicks', limitIn, NO_LIMIT),
    ...passwordIn(cell('password')),
    isArchived: valueOf('archived', answerIn, NO_ANSWER),
    clicks: valueOf('clicks', wholeNumber, NO_NUMBER),
    lost,
  }
}

/** Where it is opened. A column of codes may have short URLs, or paths with their slash. */
function placeOf(cell: Cell): Pick<SourceLink, 'domain' | 'code'> {
  const written = cell('code')
  const isShortUrl = written !== undefined && isUrl(written)
  const shortUrl = cell('short-url') ?? (isShortUrl ? written : undefined)
  const parts = shortUrl === undefined ? undefined : shortUrlParts(shortUrl)
  return {
    domain: cell('domain')?.replace(/^https?:\/\/|\/$/gi, '') ?? parts?.domain,
    code: ((isShortUrl ? undefined : written) ?? parts?.code ?? shortUrl)?.replace(/^\/(.*?)\/?$/s, '$1'),
  }
}
