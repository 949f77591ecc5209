import { importedCodeFault, unusualCode } from '../../codes/unusual-code.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { type DestinationRules, readDestination } from '../../links/destinations/destination.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { answerIn, isNone, limitIn } from '../files/cell-values.ts'
import { COLUMN_KINDS, type ColumnKind } from '../files/csv-columns.ts'
import { shortUrlParts } from '../files/csv-row.ts'
import { type CsvTable, rowsOfLinks } from '../files/csv-table.ts'
import { wholeNumber } from '../files/field-reader.ts'
import type { ImportFile } from '../files/import-file.ts'
import { looksLikeJson } from '../files/json-pages.ts'
import { type DateOrder, readTime } from '../files/read-date.ts'
import { SOURCES } from '../sources/all-sources.ts'
import type { ImportJob } from './import-job.ts'
import { jobSentence } from './job-sentence.ts'
import { sourceOptions } from './source-options.ts'

/** Rows that are looked at, and the bytes that they are in: some milliseconds. */
const ROWS_MAX = 100
const SAMPLE_BYTES = 128 * 1024
const VALUES_SHOWN = 3
const VALUE_LENGTH_MAX = 200

/** `note`: what is recognized in its values. `problem`: what cannot be read in them. */
type TableColumn = {
  number: number
  name: string
  values: string[]
  kind: ColumnKind | null
  note: string | null
  problem: string | null
}

export type TableColumns = {
  description: string[]
  delimiter: string
  encoding: string
  hasHeader: boolean
  columns: TableColumn[]
}

type ColumnsDeps = { db: CurrentDb; destinationRules: DestinationRules }

/** What the first rows of the first file are taken for, before anything is checked. */
export async function tableColumns(
  { db, destinationRules }: ColumnsDeps,
  job: ImportJob,
): Promise<TableColumns> {
  const file = await sampleOf(db, job)
  if (looksLikeJson(file, 'utf-8')) throw notATable()
  try {
    const { description, table } = await SOURCES[job.source]!.open(file, sourceOptions(job.options))
    if (table === undefined) throw notATable()
    const rows = await rowsOf(file, table)
    const { delimiter, encoding, rowsAbove } = table
    const columns = columnsIn(table, rows, destinationRules)
    return { description, delimiter, encoding, hasHeader: rowsAbove > 0, columns }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'command_failed') throw error
    throw invalid({ files: [jobSentence(error.message)] })
  }
}

const notATable = () =>
  invalid({ files: ['The file is no table with columns to choose. The check says what is in it.'] })

/** The start of the first file, without a row that is cut. */
async function sampleOf(db: CurrentDb, { id, files }: ImportJob): Promise<ImportFile> {
  const [file] = files
  if (file === undefined) throw invalid({ files: ['Upload a file first.'] })
  const parts = await db
    .selectFrom('import_parts')
    .select('bytes')
    .where('job_id', '=', id)
    .where('file', '=', 0)
    .where('position', '<', SAMPLE_BYTES)
    .orderBy('position')
    .execute()
  const start = Buffer.concat(parts.map(({ bytes }) => bytes)).subarray(0, SAMPLE_BYTES)
  const lineEnd = start.lastIndexOf('\n') + 1
  const isWhole = start.byteLength === file.bytes || lineEnd === 0
  // A line of UTF-16 may end with a zero.
  const head = isWhole ? start : start.subarray(0, start[lineEnd] === 0 ? lineEnd + 1 : lineEnd)
  return {
    path: file.name,
    head,
    async *chunks() {
      yield head
    },
  }
}

async function rowsOf(file: ImportFile, table: CsvTable): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of rowsOfLinks(file, table)) {
    if ('refused' in row || rows.length === ROWS_MAX) break
    rows.push(row.cells)
  }
  return rows
}

function columnsIn(table: CsvTable, rows: readonly string[][], rules: DestinationRules): TableColumn[] {
  const { header, columns, order } = table
  const kinds = new Map([...columns].map(([kind, place]) => [place, kind]))
  const count = header?.length ?? Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: count }, (_, place) => {
    const kind = kinds.get(place) ?? null
    const cells = rows.map((row) => row[place] ?? '')
    const values = cells.filter((cell) => cell !== '')
    return {
      number: place + 1,
      name: shown(header?.[place] || `Column ${place + 1}`),
      values: values.slice(0, VALUES_SHOWN).map(shown),
      kind,
      ...(kind === null ? NOTHING : foundIn(kind, cells, { order, rules })),
    }
  })
}

type Found = Pick<TableColumn, 'note' | 'problem'>
type Reading = { order: DateOrder | undefined; rules: DestinationRules }

const NOTHING: Found = { note: null, problem: null }

function foundIn(kind: ColumnKind, cells: readonly string[], { order, rules }: Reading): Found {
  if (kind === 'code') return foundCodes(cells.filter((cell) => cell !== ''))
  const values = cells.filter((cell) => cell !== '' && !isNone(cell))
  if (kind === 'destination') return { note: null, problem: sentenceOf(cells.flatMap(faultOfUrl(rules))) }
  if (kind === 'created' || kind === 'starts' || kind === 'expires') return foundDates(values, order)
  if (kind === 'clicks') return unread(values, { read: wholeNumber, fault: 'is no whole number.' })
  if (kind === 'max-clicks') return unread(values, { read: limitIn, fault: 'is no limit of clicks.' })
  if (kind === 'archived')
    return unread(values, { read: answerIn, fault: 'does not say whether the link is archived.' })
  if (kind === 'short-url') return foundCodes(values.flatMap((value) => shortUrlParts(value)?.code ?? []))
  return NOTHING
}

function unread(
  values: readonly string[],
  { read, fault }: { read: (value: string) => unknown; fault: string },
): Found {
  const wrong = values.filter((value) => read(value) === undefined)
  return { note: null, problem: sentenceOf(wrong.map((value) => `"${shown(value)}" ${fault}`)) }
}

const faultOfUrl = (rules: DestinationRules) => (cell: string) => {
  if (cell === '') return ['The destination is missing.']
  const read = readDestination(cell, rules)
  return 'error' in read ? [`"${shown(cell)}" ${read.error.replace('The :attribute ', '')}`] : []
}

function foundDates(values: readonly string[], order: DateOrder | undefined): Found {
  const lost: string[] = []
  const [first] = values.flatMap((value) => readTime(value, lost, order) ?? [])
  const orderNote =
    order === 'dayFirst' ? 'Days come first. ' : order === 'monthFirst' ? 'Months come first. ' : ''
  return {
    note:
      first === undefined
        ? null
        : `${orderNote}The first is read as ${first.slice(0, 16).replace('T', ' ')} UTC.`,
    problem: sentenceOf(lost),
  }
}

/** Old codes are those that new links cannot have. */
function foundCodes(codes: readonly string[]): Found {
  const old = codes.filter((code) => unusualCode(code) !== undefined).length
  const faults = codes.flatMap((code) => importedCodeFault(code) ?? [])
  return {
    note:
      old === 0
        ? null
        : old === 1
          ? '1 old code is kept as it is.'
          : `${old} old codes are kept as they are.`,
    problem: sentenceOf(faults.map((sentence) => sentence.replace(':attribute', 'code'))),
  }
}

function sentenceOf([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null
  return others.length === 0 ? first : `${first} And ${others.length} more of the first ${ROWS_MAX} rows.`
}

const shown = (text: string): string =>
  text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 1)}…`

/** As people call what a column has. */
const KIND_TITLES: Record<ColumnKind, string> = {
  destination: 'Destination',
  code: 'Code',
  'short-url': 'Short URL',
  domain: 'Domain',
  title: 'Title',
  notes: 'Notes',
  tags: 'Tags',
  folder: 'Folder',
  created: 'Created',
  starts: 'Starts',
  expires: 'Expires',
  'max-clicks': 'Click limit',
  password: 'Password',
  archived: 'Archived',
  clicks: 'Clicks',
  'external-id': 'External ID',
}

/** All that a column may have, in the order in which they are offered. */
export const COLUMN_CHOICES = COLUMN_KINDS.map((name) => ({ name, title: KIND_TITLES[name] }))
