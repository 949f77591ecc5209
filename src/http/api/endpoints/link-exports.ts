import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../export/csv-line.ts'
import { StreamPlaces } from '../../../limits/stream-places.ts'
import { type ClickedLink, everyLink } from '../../../links/lists/every-link.ts'
import type { ListLinksDeps } from '../../../links/lists/list-links.ts'
import { linkExportParameters } from '../../../links/lists/list-parameters.ts'
import { UTM_NAMES } from '../../../links/utm-parameters.ts'
import { dayOf, isoDay, isoOrNull } from '../../../runtime/clock.ts'
import { type Query, readParameters } from '../../requests/query.ts'
import { exportFormat, EXPORT_TYPES, streamedFile } from '../../responses/streamed-file.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { linkSchema, linkView, type LinkViewDeps } from '../../endpoints/link-view.ts'

type ExportDeps = LinkViewDeps & { list: ListLinksDeps }

/** Files of the links of a list. */
export class LinkExports {
  readonly #deps: ExportDeps
  readonly #places = new StreamPlaces({
    perWorkspace: 2,
    max: 20,
    sentence: 'Too many exports of links are in progress. Try again when one is done.',
  })

  constructor(deps: ExportDeps) {
    this.#deps = deps
  }

  open(caller: Caller, query: Query): Response {
    const { list: listDeps, clock } = this.#deps
    const { format, search, ...filters } = readParameters(exportParameters, query)
    const onEnd = this.#places.take(caller.workspaceId)
    const pages = everyLink(listDeps, caller, { search, filters })
    return streamedFile({
      name: `tern-links-${isoDay(dayOf(clock.nowUs()))}.${format}`,
      type: EXPORT_TYPES[format],
      pages: format === 'csv' ? csvTexts(this.#deps, pages) : jsonTexts(this.#deps, pages),
      onEnd,
    })
  }
}

const exportedLink = (deps: LinkViewDeps, { link, lastClickedAtUs }: ClickedLink) => ({
  ...linkView(deps, link),
  last_clicked_at: isoOrNull(lastClickedAtUs),
})

async function* jsonTexts(deps: LinkViewDeps, pages: AsyncIterable<ClickedLink[]>): AsyncGenerator<string[]> {
  for await (const links of pages) yield links.map((each) => JSON.stringify(exportedLink(deps, each)) + '\n')
}

const LINK_COLUMNS = Object.keys(linkSchema.shape).filter((name) => name !== 'utm')
/** UTM parameters have columns of their own, because nobody reads JSON in a spreadsheet. */
const HEAD = [...LINK_COLUMNS, 'last_clicked_at', ...UTM_NAMES.map((name) => `utm_${name}`)]

async function* csvTexts(deps: LinkViewDeps, pages: AsyncIterable<ClickedLink[]>): AsyncGenerator<string[]> {
  yield [BYTE_ORDER_MARK + csvLine(HEAD)]
  for await (const links of pages) yield links.map((each) => csvLine(cellsOf(exportedLink(deps, each))))
}

function cellsOf({ utm, ...link }: ReturnType<typeof exportedLink>): unknown[] {
  const fields: Record<string, unknown> = {
    ...link,
    aliases: link.aliases.join(' '),
    tags: link.tags.join(', '),
  }
  const columns = [...LINK_COLUMNS, 'last_clicked_at'].map((name) => fields[name])
  return [...columns, ...UTM_NAMES.map((name) => utm?.[name])]
}

const exportParameters = z.object({ ...exportFormat, ...linkExportParameters.shape })

/** Not below /api/links, where `export` may be somebody's code. */
export const exportEndpoint = (exports: LinkExports): CallerEndpoint => ({
  method: 'get',
  path: '/api/export/links',
  tag: 'Links',
  summary: 'Export links as a file',
  description:
    'All links that match the filters, the newest first: CSV with a header row, or a JSON object for each line, with the fields of a link and `last_clicked_at`. Links that are created during the export are not in it. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe, tags are separated by commas, and rules are JSON. Two at once, then 429.',
  access: 'key',
  scope: 'links:read',
  query: exportParameters,
  answer: {
    status: 200,
    description: 'The file.',
    schema: z.string().openapi({ example: csvLine(HEAD) }),
    types: Object.values(EXPORT_TYPES),
  },
  refusals: [422],
  handle: async ({ caller, query }) => exports.open(caller, query),
})
