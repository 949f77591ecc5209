import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { requestText } from '../../request.ts'
import { partsOf, sendInParts } from './send-in-parts.ts'

const TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson;charset=utf-8' }
// Without it, spreadsheets do not read the file as UTF-8. It is not in the text of a response.
const BYTE_ORDER_MARK = '\uFEFF'

export type ExportFormat = keyof typeof TYPES

/**
 * The file of exactly these links, the newest first, with the rows of the export of a list. A URL has no room for all of
 * them, so the file is joined from parts. Throws a RequestFailure if any part is missing.
 */
export async function exportedFile(
  links: readonly OwnLink[],
  format: ExportFormat,
  onProgress: (done: number) => void,
): Promise<Blob> {
  const ids = links.map(({ id }) => id).sort((a, b) => b - a)
  const readPart = (id: readonly string[]) =>
    requestText('/export/links', { format, archived: 'include', id })
  const { answers, failure } = await sendInParts(partsOf(ids.map(String)), readPart, onProgress)
  if (failure !== undefined) throw failure
  return new Blob(format === 'csv' ? withOneHead(answers) : answers, { type: TYPES[format] })
}

/** Each part begins with the row of heads. */
const withOneHead = (parts: readonly string[]): string[] => [
  BYTE_ORDER_MARK,
  ...parts.map((part, at) => (at === 0 ? part : part.slice(part.indexOf('\n') + 1))),
]
