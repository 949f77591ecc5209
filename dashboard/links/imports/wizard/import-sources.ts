import type { JobOptions } from '../job-queries.ts'

/** What can be left where it is. */
export type Leavable = NonNullable<JobOptions['without']>[number]

type SourceKey = { label: string; hint: string }

/** What an account has several of, each with links of its own. */
type ListTexts = { label: string; all: string }

/** A program that links can be imported from, as the wizard offers it. */
export type ImportSource = {
  /** As in the API. */
  name: string
  title: string
  /** What comes along, and how. */
  text: string
  /** Of its API. Absent if its links are read from files only. */
  key?: SourceKey
  /** All of them are read, or one. */
  list?: ListTexts
  /** Its users run it themselves: an example of where its API is. */
  url?: string
  /** What its links have that can be left there. Columns of a table are chosen one by one. */
  has: Leavable[]
  /** Its API says when and where links were clicked, by requests for each. The usual choice: a service limits requests. */
  clicks?: 'history' | 'totals'
  /** Which files are read. */
  files: string
  /** Its columns are chosen after the upload. */
  isTable?: true
  /** Its dump has times in the zone of the database server. */
  hasTimeZone?: true
}

const apiKey = (where: string): SourceKey => ({ label: 'API key', hint: where })
const token = (where: string): SourceKey => ({ label: 'Access token', hint: where })

/** In the order of the cards. */
export const IMPORT_SOURCES: readonly ImportSource[] = [
  {
    name: 'bitly',
    title: 'Bitly',
    text: 'Links, titles and tags, with an access token',
    key: token('In Bitly: Settings, API, Access token.'),
    list: { label: 'Group', all: 'All groups' },
    has: ['clicks', 'tags', 'archived'],
    clicks: 'totals',
    files: 'The CSV of links, or pages of the API as JSON',
  },
  {
    name: 'dub',
    title: 'Dub',
    text: 'Links, tags, targets and passwords, with an API key',
    key: apiKey('In Dub: Settings, API Keys. Reading links is enough.'),
    has: ['clicks', 'tags', 'archived'],
    clicks: 'totals',
    files: 'The CSV of links or of events, or pages of the API as JSON',
  },
  {
    name: 'shlink',
    title: 'Shlink',
    text: 'Links, tags, ends and limits, with an API key',
    key: apiKey('On the server of Shlink: bin/cli api-key:generate.'),
    url: 'https://go.example',
    has: ['clicks', 'tags'],
    clicks: 'history',
    files: 'The CSV of the web client, or pages of the API as JSON',
  },
  {
    name: 'yourls',
    title: 'YOURLS',
    text: 'Links and titles, from its API or a database dump',
    key: { label: 'Signature', hint: 'In YOURLS: on the page Tools.' },
    url: 'https://go.example',
    has: ['clicks'],
    files: 'An SQL dump, a CSV, or the answer of the API as JSON',
    hasTimeZone: true,
  },
  {
    name: 'kutt',
    title: 'Kutt',
    text: 'Links and ends, from its API or its SQLite database',
    key: apiKey('In Kutt: Settings, API. The database has the passwords and the links of all users.'),
    url: 'https://go.example',
    has: ['clicks'],
    clicks: 'history',
    files: 'The SQLite database, or pages of the API as JSON',
  },
  {
    name: 'shortio',
    title: 'Short.io',
    text: 'Links, tags and targets, with an API key',
    key: apiKey('In Short.io: Integrations & API, a private key.'),
    list: { label: 'Domain at Short.io', all: 'All domains' },
    has: ['tags', 'archived'],
    files: 'Pages of the API as JSON',
  },
  {
    name: 'rebrandly',
    title: 'Rebrandly',
    text: 'Links and tags, with an API key',
    key: apiKey('In Rebrandly: Account, API keys.'),
    list: { label: 'Workspace', all: 'All workspaces' },
    has: ['clicks', 'tags'],
    files: 'Pages of the API as JSON',
  },
  {
    name: 'tinyurl',
    title: 'TinyURL',
    text: 'Links, tags and ends, with an API token',
    key: { label: 'API token', hint: 'In TinyURL: Settings, API.' },
    has: ['clicks', 'tags', 'archived'],
    files: 'The list of the API as JSON',
  },
  {
    name: 'csv',
    title: 'CSV file',
    text: 'Any table: you choose which column is what',
    has: ['archived'],
    files: 'CSV or TSV, with a row for each link',
    isTable: true,
  },
  {
    name: 'tern',
    title: 'Tern',
    text: 'An export of another Tern server',
    has: ['clicks', 'tags', 'folders', 'archived'],
    files: 'The export of links, as CSV or NDJSON',
  },
  {
    name: 'sink',
    title: 'Sink',
    text: 'The export of its dashboard',
    has: ['tags'],
    files: 'The export as JSON',
  },
]

export const sourceNamed = (name: string | null): ImportSource | undefined =>
  IMPORT_SOURCES.find((source) => source.name === name)
