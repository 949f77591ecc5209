import type { z } from 'zod'
import type { DeletedClicksView } from '../../http/endpoints/link-endpoints.ts'
import type { LinkView } from '../../http/endpoints/link-view.ts'
import type { explanationSchema } from '../../http/endpoints/explained-visit.ts'
import type { paginationMeta } from '../../http/endpoints/schemas.ts'
import type { DeletedLinkView } from '../../http/endpoints/trash-endpoints.ts'
import type { LinkVersionView } from '../../http/endpoints/version-endpoints.ts'
import { textTable } from '../text-table.ts'
import type { ApiAnswer } from './call-api.ts'

// What the API answers, for people.

/** Wide enough to recognize a destination, and narrow enough for a terminal. */
const CELL_LENGTH_MAX = 60

/** One row for each field that is set, so that a new field is there too. */
function detailsOf(data: unknown): string {
  const rows = Object.entries(data as Record<string, unknown>).flatMap(([name, value]) => {
    const text = textOf(value)
    return text === '' || value === false ? [] : [[labelOf(name), text]]
  })
  return rows.length === 0 ? '' : textTable(rows[0]!, rows.slice(1))
}

const labelOf = (field: string): string => field.replaceAll('_', ' ')

export const linkDetails = ({ data }: ApiAnswer): string => detailsOf(data)

export const shortUrl = ({ data }: ApiAnswer): string => (data as LinkView).short_url

export const message = (answer: ApiAnswer): string => answer.message

export const linkList = (answer: ApiAnswer): string =>
  listOf(answer as Listed<LinkView>, {
    none: 'There are no such links.',
    head: ['short URL', 'destination', 'title', 'status', 'clicks', 'created'],
    rows: (link) => [[...cellsOf(link), link.status, link.click_count, link.created_at]],
  })

export const trashList = (answer: ApiAnswer): string =>
  listOf(answer as Listed<DeletedLinkView>, {
    none: 'The trash is empty.',
    head: ['short URL', 'destination', 'title', 'clicks', 'deleted'],
    rows: (link) => [[...cellsOf(link), link.click_count, link.deleted_at]],
  })

export function deletedClicks({ data }: ApiAnswer): string {
  const { clicks, bots, imported_clicks: imported } = data as DeletedClicksView
  const counts = [countText(clicks, 'click'), countText(bots, 'bot click')]
  if (imported === 0) return `Deleted ${counts.join(' and ')}.`
  return `Deleted ${counts.join(', ')} and ${countText(imported, 'imported click')}.`
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** A row for each field that has changed. */
export const versionList = (answer: ApiAnswer): string =>
  listOf(answer as Listed<LinkVersionView>, {
    none: 'There are no versions.',
    head: ['version', 'changed', 'by', 'API key', 'field', 'from', 'to'],
    rows: ({ version, changed_at: at, changed_by: user, api_key: key, changes }) => {
      const who = [version, at, user?.name ?? '', key?.name ?? '']
      const fields = Object.entries(changes).map(([field, { from, to }]) => [labelOf(field), from, to])
      if (fields.length === 0) return [[...who, '', '', '']]
      return fields.map((cells, i) => [...(i === 0 ? who : who.map(() => '')), ...cells])
    },
  })

/** Its last step is the reason. */
export function explanation({ data }: ApiAnswer): string {
  const { steps, why: _, ...decision } = data as z.infer<typeof explanationSchema>
  const rows = steps.map(({ result, text, detail }) => [textOf(result), textOf(text), textOf(detail)])
  return `${detailsOf(decision)}\n\n${textTable(['result', 'reason', 'detail'], rows)}`
}

export type Listed<Row> = { data: Row[]; meta: z.infer<typeof paginationMeta> }
type List<Row> = { none: string; head: string[]; rows(row: Row): unknown[][] }

export function listOf<Row>({ data, meta }: Listed<Row>, { none, head, rows }: List<Row>): string {
  const { current_page: page, last_page: pages, total } = meta
  if (total === 0) return none
  const table = textTable(
    head,
    data.flatMap(rows).map((cells) => cells.map(cellOf)),
  )
  if (page === 1 && pages === 1) return table
  return `${table}\nPage ${page} of ${pages}, ${total} in all. Choose another one with --page.`
}

const cellsOf = (link: Pick<LinkView, 'short_url' | 'original_url' | 'title'>): string[] => [
  link.short_url,
  link.original_url,
  link.title,
]

function cellOf(value: unknown): string {
  const text = textOf(value)
  return text.length <= CELL_LENGTH_MAX ? text : `${text.slice(0, CELL_LENGTH_MAX - 1)}…`
}

/** On one line; '' for what is not set. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(itemOf).join(', ')
  if (typeof value === 'object') {
    const set = Object.entries(value).filter(([, part]) => part !== null)
    return set.map(([name, part]) => `${name}=${itemOf(part)}`).join(', ')
  }
  return line(String(value))
}

const itemOf = (item: unknown): string => line(typeof item === 'object' ? JSON.stringify(item) : String(item))

/** Times to the second. Control characters could be commands to the terminal. */
export const line = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z$/, '$1Z').replaceAll(/\p{Cc}+/gu, ' ')
