import type { ImportedClicksView } from '../analytics/imported-view.ts'
import type { QueryForwarding } from '../links/query-forwarding.ts'
import type { CsvTable } from './files/csv-table.ts'
import type { ImportFile } from './files/import-file.ts'
import type { NetworkSource } from './network/source-api.ts'

// What every source gives, whatever its files look like: links with fields of their own names, one after the other, so that a file
// of any length is read in little memory.

/** As the API takes them. */
export type ClicksBy = Omit<ImportedClicksView, 'total'>

/** A link as another program had it. What is undefined or null was not said. */
export type SourceLink = {
  /** The host of its short URL; the default domain of the workspace without one. */
  domain?: string | null | undefined
  code?: string | null | undefined
  /** More codes on the same domain. */
  aliases?: string[] | undefined
  destination?: string | null | undefined
  title?: string | null | undefined
  notes?: string | null | undefined
  tags?: string[] | undefined
  folder?: string | null | undefined
  externalId?: string | null | undefined
  /** ISO 8601 with a zone. */
  createdAt?: string | null | undefined
  startsAt?: string | null | undefined
  expiresAt?: string | null | undefined
  maxClicks?: number | null | undefined
  fallbackUrl?: string | null | undefined
  forwardQuery?: QueryForwarding | undefined
  redirectStatus?: number | undefined
  isArchived?: boolean | undefined
  isDisabled?: boolean | undefined
  password?: string | null | undefined
  /** Of bcrypt. */
  passwordHash?: string | null | undefined
  /** It has a password that the file does not say, or not in a form that can be checked. */
  hasUnknownPassword?: boolean | undefined
  clicks?: number | null | undefined
  /** Of these, what is known of when and where they were. */
  clicksBy?: ClicksBy | undefined
  /** Fields of the API that the file has by their names there. */
  others?: Record<string, unknown> | undefined
  /** A sentence for each thing that cannot come along. */
  lost?: string[] | undefined
}

/** `at`: where it is in the file, or among the links of an API. */
export type SourceItem = { at: string; link: SourceLink } | { at: string; refused: string }

/** What the caller may say about a file. */
export type SourceOptions = {
  delimiter?: string | undefined
  encoding?: string | undefined
  /** Of the database server that wrote the dates. */
  timeZone?: string | undefined
  /** Whether the first row of a table has names; recognized if it is not said. */
  hasHeader?: boolean | undefined
  /** Names or numbers of columns, by what they have; null: no column has it. */
  columns: ReadonlyMap<string, string | null>
}

/** `description`: how the file is read, in lines for people. `table`: of a table whose columns can be named. */
export type OpenedSource = {
  description: string[]
  items: AsyncIterable<SourceItem>
  table?: CsvTable | undefined
}

/** `uses`: the options that mean something for such a file. */
export type OpenedFile = OpenedSource & { uses: readonly (keyof SourceOptions)[] }

export type Source = {
  /** The name of the program, as people write it. */
  title: string
  open(file: ImportFile, options: SourceOptions): Promise<OpenedFile>
  /** Absent if its links are read from files only. */
  network?: NetworkSource | undefined
}
