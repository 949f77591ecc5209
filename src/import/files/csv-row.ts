import type { SourceLink } from '../source.ts'
import type { ColumnKind, Columns } from './csv-columns.ts'
import { type DateOrder, readDate } from './read-date.ts'

type Table = { columns: Columns; header: string[] | undefined; order: DateOrder | undefined }
export type ReadRow = { link: SourceLink } | { refused: string }

/** With or without its scheme; a query or fragment is no part of a code. */
const SHORT_URL = /^(?:https?:\/\/)?([^/?#\s]+\.[^/?#\s]+|localhost)(?::\d+)?\/([^?#]*)/i

/** The host and the code of a short URL. Undefined if it is none. */
function shortUrlParts(text: string): { domain: string; code: string } | undefined {
  const [, host, path] = SHORT_URL.exec(text) ?? []
  return host === undefined || path === undefined || path === ''
    ? undefined
    : { domain: host.toLowerCase(), code: path }
}

export function rowReader({ columns, header, order }: Table) {
  return (cells: readonly string[]): ReadRow => {
    if (header !== undefined && cells.length > header.length)
      return { refused: `The row has ${cells.length} values for ${header.length} columns.` }
    return { link: linkOf((kind) => cells[columns.get(kind) ?? -1] || undefined, order) }
  }
}

type Cell = (kind: ColumnKind) => string | undefined

function linkOf(cell: Cell, order: DateOrder | undefined): SourceLink {
  const shortUrl = cell('short-url')
  const parts = shortUrl === undefined ? undefined : shortUrlParts(shortUrl)
  const lost: string[] = []
  const timeOf = (kind: ColumnKind): string | null => {
    const text = cell(kind)
    const ms = text === undefined ? undefined : readDate(text, order)
    if (typeof ms === 'number') return new Date(ms).toISOString()
    if (text !== undefined) lost.push(lostDate(text, ms === 'ambiguous'))
    return null
  }
  const numberOf = (kind: ColumnKind): number | null => {
    const text = cell(kind)?.replaceAll(',', '')
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
  }
  return {
    domain: cell('domain') ?? parts?.domain,
    code: cell('code') ?? parts?.code ?? shortUrl,
    destination: cell('destination'),
    title: cell('title'),
    notes: cell('notes'),
    tags: tagsIn(cell('tags')),
    folder: cell('folder'),
    externalId: cell('external-id'),
    createdAt: timeOf('created'),
    startsAt: timeOf('starts'),
    expiresAt: timeOf('expires'),
    maxClicks: numberOf('max-clicks'),
    password: cell('password'),
    isArchived: /^(yes|true|1)$/i.test(cell('archived') ?? ''),
    clicks: numberOf('clicks'),
    lost,
  }
}

const lostDate = (text: string, isAmbiguous: boolean): string =>
  isAmbiguous
    ? `The date "${text}" may have its day or its month first, so it is left out.`
    : `"${text.slice(0, 80)}" is no date that can be read, so it is left out.`

const tagsIn = (text = ''): string[] =>
  text
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
