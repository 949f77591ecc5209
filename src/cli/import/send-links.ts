import type { ImportedLinkView } from '../../http/endpoints/import-endpoint.ts'
import { costOfEntry, type ImportEntry, importEntry, KEY_LENGTH_MAX } from '../../import/import-entry.ts'
import { groupsOf } from '../../import/import-groups.ts'
import type { LinkChoices } from '../../import/link-choices.ts'
import type { SourceItem } from '../../import/source.ts'
import type { FirstUses } from '../../store/sqlite/first-uses.ts'
import { callApi, type Server } from '../links/call-api.ts'
import type { ImportReport, ReportedLink } from './import-report.ts'
import type { RecordedImport } from './recorded-import.ts'

type Sending = LinkChoices & {
  server: Server
  report: ImportReport
  /** Undefined for a dry run. */
  recorded: Pick<RecordedImport, 'begin'> | undefined
  options: { on_conflict?: string | undefined; conflict_domain?: string | undefined; dry_run: boolean }
  nowUs: number
  /** Where codes were in the files before. */
  usedCodes: FirstUses
  /** The same of what two links may share although their codes are others: see `namesOf`. */
  usedNames: FirstUses
}

/** Groups that the server has at a time: it writes several in one commit, while the next one is read. */
const GROUPS_SENT_MAX = 4

/** Sends the links of a file in groups, and reports each in its order. */
export async function sendLinks(
  sending: Sending,
  path: string,
  items: AsyncIterable<SourceItem>,
): Promise<void> {
  const requests: Promise<void>[] = []
  let before = Promise.resolve()
  try {
    for await (const entries of groupsOf(entriesOf(sending, items), costOfEntry)) {
      // The earlier link has to be there first, or the later one would take its code.
      if (repeatsName(sending, entries)) await before
      const request = send(sending, path, { entries, before })
      requests.push(request)
      before = request.catch(() => {})
      if (requests.length === GROUPS_SENT_MAX) await requests.shift()
    }
  } finally {
    // What was sent is reported before a fault in the rest of the file ends the import.
    await before
  }
  await Promise.all(requests)
}

async function* entriesOf(sending: Sending, items: AsyncIterable<SourceItem>): AsyncGenerator<ImportEntry> {
  for await (const item of items) yield importEntry(sending, item)
}

/** Whether one of the links may meet one that was in the files before. */
function repeatsName({ usedNames }: Sending, entries: readonly ImportEntry[]): boolean {
  const names = entries.flatMap((entry) => ('fields' in entry ? namesOf(entry) : []))
  // Not `some`, which would end at the first: all of them are noted.
  return names.map((name) => usedNames.before(name, '') !== undefined).includes(true)
}

/** Codes whatever their domain and case, because the server knows which domain is meant and whether its case counts. */
function namesOf({ fields }: { fields: Record<string, unknown> }): string[] {
  const { custom_code: code, aliases, external_id: externalId } = fields
  const codes = [code, ...(Array.isArray(aliases) ? aliases : [])].filter((each) => typeof each === 'string')
  const names = codes.map((each) => `/${each.toLowerCase()}`)
  return [...names, ...(typeof externalId === 'string' ? [externalId] : [])].map((name) =>
    name.slice(0, KEY_LENGTH_MAX),
  )
}

/** `before`: resolved once the groups before it are reported. */
type Group = { entries: readonly ImportEntry[]; before: Promise<void> }

async function send(sending: Sending, path: string, { entries, before }: Group): Promise<void> {
  const links = entries.flatMap((entry) => ('fields' in entry ? [entry.fields] : []))
  const results = links.length === 0 ? [] : await answersOf(sending, links)
  await before
  for (const entry of entries) {
    const answer = 'fields' in entry ? results.shift() : undefined
    sending.report.link(path, { ...unsent(entry), ...(answer && reportedAnswer(entry, answer)) })
  }
}

function unsent(entry: ImportEntry): ReportedLink {
  const { at, code } = entry
  return 'fields' in entry
    ? { at, code, result: 'created', differences: {}, errors: {}, lost: entry.lost }
    : { at, code, result: 'refused', differences: {}, errors: { link: [entry.refused] }, lost: [] }
}

function reportedAnswer({ code }: ImportEntry, answer: ImportedLinkView) {
  const { result, short_code: shortCode, differences, errors } = answer
  return { code: shortCode ?? code, result, differences, errors }
}

async function answersOf(
  { server, recorded, options }: Sending,
  links: object[],
): Promise<ImportedLinkView[]> {
  const body = { links, ...options, import_id: await recorded?.begin() }
  const { answer } = await callApi(server, { method: 'POST', path: '/api/links/import', body })
  return answer.data as ImportedLinkView[]
}
