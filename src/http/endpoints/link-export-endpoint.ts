import { z } from '@hono/zod-openapi'
import { importedClicksView } from '../../analytics/imported-view.ts'
import { csvLine } from '../../export/csv-line.ts'
import { type ClickedLink, everyLink } from '../../links/lists/every-link.ts'
import { linkExportParameters } from '../../links/lists/list-parameters.ts'
import { UTM_NAMES } from '../../links/utm-parameters.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import { linkSchema, linkView, type LinkViewDeps } from './link-view.ts'
import { parameters } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { EXPORT_TYPES, exportedFile, exportFormat } from '../responses/exported-file.ts'

const exportedLink = (deps: LinkViewDeps, { link, lastClickedAtUs, imported }: ClickedLink) => ({
  ...linkView(deps, link),
  last_clicked_at: isoOrNull(lastClickedAtUs),
  imported_clicks: imported === undefined ? null : importedClicksView(imported),
})

const LINK_COLUMNS = Object.keys(linkSchema.shape).filter((name) => name !== 'utm')
const PLAIN_COLUMNS = [...LINK_COLUMNS, 'last_clicked_at', 'imported_clicks']
/** UTM parameters have columns of their own, because nobody reads JSON in a spreadsheet. */
const HEAD = [...PLAIN_COLUMNS, ...UTM_NAMES.map((name) => `utm_${name}`)]

function cellsOf({ utm, ...link }: ReturnType<typeof exportedLink>): unknown[] {
  const fields: Record<string, unknown> = {
    ...link,
    aliases: link.aliases.join(' '),
    tags: link.tags.join(', '),
  }
  return [...PLAIN_COLUMNS.map((name) => fields[name]), ...UTM_NAMES.map((name) => utm?.[name])]
}

/** Not below /api/links, where `export` may be somebody's code. */
export const linkExportEndpoint = endpoint({
  route: 'GET /export/links',
  who: 'both',
  scope: 'links:read',
  tag: 'Links',
  summary: 'Export links as a file',
  description:
    'All links that match the filters, the newest first: CSV with a header row, or a JSON object for each line, with the fields of a link, `last_clicked_at` and `imported_clicks`, as an import takes them: the clicks that other programs had counted. Links that are created during the export are not in it. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe, tags are separated by commas, and rules are JSON. Two at once, then 429.',
  query: parameters(z.object({ ...exportFormat, ...linkExportParameters.shape })),
  answer: {
    description: 'The file.',
    bare: z.string().openapi({ example: csvLine(HEAD) }),
    types: Object.values(EXPORT_TYPES),
  },
  refusals: [422],
  run({ caller, query: { format, search, ...filters } }, deps) {
    const onEnd = deps.exportPlaces.links.take(caller.workspaceId)
    return exportedFile({
      format,
      name: 'tern-links',
      nowUs: deps.clock.nowUs(),
      pages: everyLink({ ...deps, db: deps.reportDb }, caller, { search, filters }),
      view: (each) => exportedLink(deps, each),
      head: HEAD,
      cellsOf,
      onEnd,
    })
  },
})
