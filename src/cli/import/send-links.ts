import type { ImportedLinkView } from '../../http/endpoints/import-endpoint.ts'
import { linkRequest } from '../../import/link-request.ts'
import type { SourceItem } from '../../import/source.ts'
import { BULK_LINKS_MAX } from '../../links/link-fields.ts'
import type { FirstUses } from '../../store/sqlite/first-uses.ts'
import { callApi, type Server } from '../links/call-api.ts'
import type { ImportReport, ReportedLink } from './import-report.ts'
import type { RecordedImport } from './recorded-import.ts'

/** Below what a body may have, with room for what is around the links. */
const BATCH_BYTES_MAX = 900_000
/** Each takes a while to be hashed. */
const BATCH_PASSWORDS_MAX = 20
/** Longer than any host and code, so the API refuses it. */
const KEY_LENGTH_MAX = 400
const TOO_LARGE = 'The link takes more than 900 KB in a request.'

type Sending = {
  server: Server
  report: ImportReport
  /** Undefined for a dry run. */
  recorded: Pick<RecordedImport, 'begin'> | undefined
  options: { on_conflict?: string | undefined; dry_run: boolean }
  /** Where all links go, whatever the file says. */
  domain: string | undefined
  nowUs: number
  /** Where codes were in the files before. */
  usedCodes: FirstUses
}

/** A link that is sent with others, or that was refused before. */
type Entry =
  { link: Record<string, unknown>; bytes: number; reported: ReportedLink } | { reported: ReportedLink }

/** Sends the links of a file in groups, and reports each in its order. The next group is read while the server works. */
export async function sendLinks(
  sending: Sending,
  path: string,
  items: AsyncIterable<SourceItem>,
): Promise<void> {
  const batches = batchesOf(sending, items)
  let next = batches.next()
  for (let batch = await next; !batch.done; batch = await next) {
    const sent = send(sending, path, batch.value)
    next = batches.next()
    // What was sent is reported before a fault in the rest of the file ends the import.
    await Promise.allSettled([sent, next])
    await sent
  }
}

async function* batchesOf(
  sending: Sending,
  items: AsyncIterable<SourceItem>,
): AsyncGenerator<Entry[], undefined> {
  let batch = emptyBatch()
  for await (const item of items) {
    const entry = entryOf(sending, item)
    const cost = costOf(entry)
    const isFull =
      batch.entries.length === BULK_LINKS_MAX ||
      batch.bytes + cost.bytes > BATCH_BYTES_MAX ||
      batch.passwords + cost.passwords > BATCH_PASSWORDS_MAX
    if (isFull) {
      yield batch.entries
      batch = emptyBatch()
    }
    batch.entries.push(entry)
    batch.bytes += cost.bytes
    batch.passwords += cost.passwords
  }
  yield batch.entries
  return undefined
}

const emptyBatch = () => ({ entries: [] as Entry[], bytes: 0, passwords: 0 })

const costOf = (entry: Entry) =>
  'link' in entry
    ? { bytes: entry.bytes, passwords: Number('password' in entry.link) }
    : { bytes: 0, passwords: 0 }

function entryOf({ usedCodes, ...options }: Sending, item: SourceItem): Entry {
  const { at } = item
  const refused = (code: string, sentence: string): Entry => ({
    reported: { at, code, result: 'refused', differences: {}, errors: { link: [sentence] }, lost: [] },
  })
  if ('refused' in item) return refused('', item.refused)
  const code = item.link.code ?? ''
  const request = linkRequest(item.link, options)
  if ('refused' in request) return refused(code, request.refused)
  const bytes = Buffer.byteLength(JSON.stringify(request.fields))
  if (bytes > BATCH_BYTES_MAX) return refused(code, TOO_LARGE)
  const key = `${String(request.fields.domain ?? '')}/${code}`
  const isComparable = code !== '' && key.length <= KEY_LENGTH_MAX
  const earlier = isComparable ? usedCodes.before(key, at) : undefined
  if (earlier !== undefined) return refused(code, `The code is used before, at ${earlier}.`)
  const reported = { at, code, result: 'created' as const, differences: {}, errors: {}, lost: request.lost }
  return { link: request.fields, bytes, reported }
}

async function send(sending: Sending, path: string, entries: Entry[]): Promise<void> {
  const { report } = sending
  const links = entries.flatMap((entry) => ('link' in entry ? [entry.link] : []))
  const results = links.length === 0 ? [] : await answersOf(sending, links)
  for (const entry of entries) {
    const { reported } = entry
    const answer = 'link' in entry ? results.shift() : undefined
    if (answer === undefined) report.link(path, reported)
    else {
      const { result, short_code: code, differences, errors } = answer
      report.link(path, { ...reported, code: code ?? reported.code, result, differences, errors })
    }
  }
}

async function answersOf(
  { server, recorded, options }: Sending,
  links: object[],
): Promise<ImportedLinkView[]> {
  const body = { links, ...options, import_id: await recorded?.begin() }
  const { answer } = await callApi(server, { method: 'POST', path: '/api/links/import', body })
  return answer.data as ImportedLinkView[]
}
