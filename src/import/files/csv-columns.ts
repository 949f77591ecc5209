import { unreadable } from './import-file.ts'

// Which column has what, by the names that programs and people give them. What is not recognized is shown, and can be named.

/** By what a column has: its names, the likeliest first, in lower case and without all but letters and digits. */
const NAMES = {
  destination:
    'destinationurl longurl longlink originalurl originallink targeturl targetlink destinationlink destination target redirecturl redirectto originurl fullurl redirect url link',
  code: 'shortcode customcode shortid backhalf slashtag customslug customalias slug keyword alias code key path address',
  'short-url': 'customlink shorturl shortlink shortenedurl shortenedlink bitlink tinyurl short link source',
  domain: 'domain domainname customdomain host',
  title: 'title name label pagetitle linktitle linkname',
  notes: 'notes note comments comment description',
  tags: 'tags tag labels tagnames',
  folder: 'folder foldername',
  created:
    'createdat created datecreated createddate creationdate createdon createdtime creationtime dateadded addedat timestamp',
  starts: 'startsat validsince validfrom startdate',
  expires:
    'expiresat expireson validuntil expirein expirydate expirationdate expireddate expiration expires expiry expireat',
  'max-clicks': 'maxclicks maxvisits clickslimit clicklimit',
  password: 'password',
  archived: 'archived isarchived',
  clicks:
    'clicks totalclicks clickcount clickscount visits totalvisits visitcount visitscount engagements hits views',
  'external-id': 'externalid',
} as const

export type ColumnKind = keyof typeof NAMES
export const COLUMN_KINDS = Object.keys(NAMES) as ColumnKind[]
/** The place of each column that is used. */
export type Columns = ReadonlyMap<ColumnKind, number>

/** By name or by number from 1; null: none has it, whatever its name says. */
export type NamedColumns = ReadonlyMap<string, string | null>

/** A name as columns are compared. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
export const isUrl = (cell: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(cell)
const ALL_NAMES = new Set(Object.values(NAMES).flatMap((names) => names.split(' ')))

/** A row of names has one that is known, and no URL. */
export const isHeader = (cells: readonly string[]): boolean =>
  !cells.some(isUrl) && knownNames(cells).some((name) => ALL_NAMES.has(name))

/** Whether a row has every name that the caller says. */
export function hasNames(cells: readonly string[], named: NamedColumns): boolean {
  const columns = [...named.values()].filter((column) => column !== null && !isNumber(column))
  const names = new Set(cells.map(plainName))
  return columns.length > 0 && columns.every((column) => names.has(plainName(column!)))
}

const isNumber = (column: string): boolean => /^\d+$/.test(column)

const NAME_LENGTH_MAX = 200

/** Those that are not known as they are without what is in brackets, such as a unit, unless two columns are then the same. */
function knownNames(header: readonly string[]): string[] {
  const names = header.map(plainName)
  const used = new Set(names)
  const shorter = header.map((name) => plainName(name.slice(0, NAME_LENGTH_MAX).replace(/[([].*/s, '')))
  return names.map((name, at) => {
    const short = shorter[at]!
    const isClear = !used.has(short) && shorter.indexOf(short) === shorter.lastIndexOf(short)
    return !ALL_NAMES.has(name) && isClear ? short : name
  })
}

/** `named`: what the caller says of columns, by name or by number from 1. */
export function columnsOf(header: readonly string[], named: NamedColumns): Columns {
  const columns = namedPlaces(header, named)
  const names = knownNames(header)
  for (const kind of COLUMN_KINDS) {
    if (columns.has(kind) || named.has(kind)) continue
    const used = new Set(columns.values())
    const places = NAMES[kind]
      .split(' ')
      .map((name) => names.findIndex((each, at) => each === name && !used.has(at)))
    const place = places.find((at) => at >= 0)
    if (place !== undefined) columns.set(kind, place)
  }
  return columns
}

/** Without a header: the first column of URLs, and after it the code and the title. */
export function columnsWithoutHeader(cells: readonly string[], named: NamedColumns): Columns {
  const columns = namedPlaces(cells, named)
  if (columns.size > 0) return columns
  const destination = Math.max(0, cells.findIndex(isUrl))
  const others = [...cells.keys()].filter((at) => at !== destination)
  const kinds = ['code', 'title'] as const
  columns.set('destination', destination)
  for (const [at, kind] of kinds.entries()) if (others[at] !== undefined) columns.set(kind, others[at])
  return columns
}

function namedPlaces(header: readonly string[], named: NamedColumns): Map<ColumnKind, number> {
  const columns = new Map<ColumnKind, number>()
  for (const [kind, column] of named) if (column !== null) columns.set(kindOf(kind), placeOf(column, header))
  return columns
}

function kindOf(kind: string): ColumnKind {
  if (!Object.hasOwn(NAMES, kind))
    throw unreadable('--column', `must name one of ${COLUMN_KINDS.join(', ')}.`)
  return kind as ColumnKind
}

function placeOf(column: string, header: readonly string[]): number {
  const place = isNumber(column)
    ? Number(column) - 1
    : header.findIndex((name) => plainName(name) === plainName(column))
  if (place < 0 || place >= header.length)
    throw unreadable('--column', `names ${column}, and there is no such column.`)
  return place
}
