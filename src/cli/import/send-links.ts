import type { ImportedLinkView } from '../../http/endpoints/import-endpoint.ts'
import { linkRequest } from '../../import/link-request.ts'
import type { SourceItem } from '../../import/source.ts'
import { BULK_LINKS_MAX } from '../../links/link-fields.ts'
import { callApi, type Server } from '../links/call-api.ts'
import type { ImportReport, ReportedLink } from './import-report.ts'

/** Below what a body may have, with room for what is around the links. */
const BATCH_BYTES_MAX = 900_000
/** Each takes a while to be hashed. */
const BATCH_PASSWORDS_MAX = 20

type Sending = {
  server: Server
  report: ImportReport
  options: { on_conflict?: string | undefined; dry_run: boolean }
  /** Where all links go, whatever the file says. */
  domain: string | undefined
  nowUs: number
  /** By code, where it was in the files before. */
  codes: Map<string, string>
}

/** A link that is sent with others, or that was refused before. */
type Entry = { link: Record<string, unknown>; reported: ReportedLink } | { reported: ReportedLink }

/** Sends the links of a file in groups, and reports each in its order. */
export async function sendLinks(
  sending: Sending,
  path: string,
  items: AsyncIterable<SourceItem>,
): Promise<void> {
  let batch = emptyBatch()
  const flush = async () => {
    await send(sending, path, batch.entries)
    batch = emptyBatch()
  }
  for await (const item of items) {
    const entry = entryOf(sending, item)
    const cost = costOf(entry)
    const isFull =
      batch.entries.length === BULK_LINKS_MAX ||
      batch.bytes + cost.bytes > BATCH_BYTES_MAX ||
      batch.passwords + cost.passwords > BATCH_PASSWORDS_MAX
    if (isFull) await flush()
    batch.entries.push(entry)
    batch.bytes += cost.bytes
    batch.passwords += cost.passwords
  }
  await flush()
}

const emptyBatch = () => ({ entries: [] as Entry[], bytes: 0, passwords: 0 })

const costOf = (entry: Entry) =>
  'link' in entry
    ? { bytes: Buffer.byteLength(JSON.stringify(entry.link)), passwords: Number('password' in entry.link) }
    : { bytes: 0, passwords: 0 }

function entryOf({ codes, ...options }: Sending, item: SourceItem): Entry {
  const { at } = item
  const refused = (code: string, sentence: string): Entry => ({
    reported: { at, code, result: 'refused', differences: {}, errors: { link: [sentence] }, lost: [] },
  })
  if ('refused' in item) return refused('', item.refused)
  const code = item.link.code ?? ''
  const request = linkRequest(item.link, options)
  if ('refused' in request) return refused(code, request.refused)
  const key = `${String(request.fields.domain ?? '')}/${code}`
  const earlier = code === '' ? undefined : codes.get(key)
  if (earlier !== undefined) return refused(code, `The code is used before, at ${earlier}.`)
  if (code !== '') codes.set(key, at)
  const reported = { at, code, result: 'created' as const, differences: {}, errors: {}, lost: request.lost }
  return { link: request.fields, reported }
}

async function send({ server, report, options }: Sending, path: string, entries: Entry[]): Promise<void> {
  const links = entries.flatMap((entry) => ('link' in entry ? [entry.link] : []))
  const results = links.length === 0 ? [] : await answersOf(server, { links, ...options })
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

async function answersOf(server: Server, body: Record<string, unknown>): Promise<ImportedLinkView[]> {
  const { answer } = await callApi(server, { method: 'POST', path: '/api/links/import', body })
  return answer.data as ImportedLinkView[]
}
