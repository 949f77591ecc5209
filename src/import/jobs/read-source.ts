import { clicksRequest } from '../clicks-request.ts'
import { clickRowsOf } from '../imported-clicks-field.ts'
import { Refusal } from '../../errors/refusal.ts'
import { systemClock } from '../../runtime/clock.ts'
import { openImportFile } from '../files/import-file.ts'
import { TOO_LARGE } from '../import-entry.ts'
import { GROUP_BYTES_MAX, groupsOf, type LinkCost, NO_COST } from '../import-groups.ts'
import { ruleTotals } from '../../links/bulk/bulk-totals.ts'
import { openNetworkSource } from '../network/open-network-source.ts'
import type { NetworkChoices } from '../network/read-network-links.ts'
import { serverClient, type ServerClientSettings } from '../network/server-client.ts'
import { SOURCES } from '../sources/all-sources.ts'
import type { SourceItem } from '../source.ts'
import type { JobOptions } from './import-job.ts'
import { jobSentence } from './job-sentence.ts'
import { sourceOptions } from './source-options.ts'

/** `path`: where the file is while it is read. */
export type SourceOpening = { source: string } & (
  | { files: { name: string; path: string }[]; options: JobOptions }
  | ({ url: string; key: string; client: ServerClientSettings } & NetworkChoices)
)

/** What is said while a source is read. */
export type SourceReports = {
  described(lines: string[]): void
  said(sentence: string): void
  /** Null once it goes on. */
  waits(untilUs: number | null): void
}

/** A group of links as JSON. */
export type SourceGroup = { links: string; count: number }

/** Longer lines are of no use to anybody. */
const LINE_LENGTH_MAX = 1_000

/** All links of a source, in the groups in which they are imported. Sentences of refusals are for users of the API. */
export async function* readSource(
  opening: SourceOpening,
  reports: SourceReports,
): AsyncGenerator<SourceGroup, void> {
  const items = 'files' in opening ? itemsOfFiles(opening, reports) : itemsOfApi(opening, reports)
  for await (const group of groupsOf(sizedItems(items), ({ cost }) => cost))
    yield { links: `[${group.map(({ text }) => text).join()}]`, count: group.length }
}

async function* sizedItems(items: AsyncIterable<SourceItem>) {
  for await (const item of items) {
    const text = JSON.stringify(item)
    const bytes = Buffer.byteLength(text)
    if (bytes <= GROUP_BYTES_MAX) yield { text, cost: { ...costOfItem(item), bytes } }
    else yield { text: JSON.stringify({ at: item.at, refused: TOO_LARGE }), cost: SMALL }
  }
}

const SMALL: LinkCost = { ...NO_COST, bytes: 200 }

function costOfItem(item: SourceItem): LinkCost {
  if ('refused' in item) return NO_COST
  const { link } = item
  const passwords = Number(link.password != null)
  return { ...NO_COST, passwords, clickRows: clickRowsOf(clicksRequest(link)), ...ruleTotals([link.others]) }
}

type OfFiles = Extract<SourceOpening, { files: unknown }>

/** With the name of the file before each place, if there are several. */
async function* itemsOfFiles(
  { source, files, options }: OfFiles,
  { described }: SourceReports,
): AsyncGenerator<SourceItem> {
  for (const { name, path } of files) {
    try {
      const opened = await SOURCES[source]!.open(await openImportFile(path), sourceOptions(options))
      const [first = '', ...others] = opened.description
      described([`${name}: ${first}`, ...others].map((line) => line.slice(0, LINE_LENGTH_MAX)))
      for await (const item of opened.items)
        yield files.length === 1 ? item : { ...item, at: `${name}, ${item.at}` }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Sources name the file by its path.
      throw new Refusal(error.code, jobSentence(error.message.replaceAll(path, name)))
    }
  }
}

type OfApi = Extract<SourceOpening, { key: string }>

async function* itemsOfApi(
  { source, client, ...place }: OfApi,
  { described, said, waits }: SourceReports,
): AsyncGenerator<SourceItem> {
  const wait = async (ms: number) => {
    waits(systemClock.nowUs() + ms * 1000)
    await Bun.sleep(ms)
    waits(null)
  }
  const deps = {
    client: serverClient(client),
    clock: systemClock,
    wait,
    say: (sentence: string) => said(jobSentence(sentence)),
  }
  const { description, items } = openNetworkSource(deps, SOURCES[source]!.network!, place)
  described(description)
  yield* items
}
