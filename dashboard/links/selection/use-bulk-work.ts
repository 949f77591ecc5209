import { useState } from 'react'
import type { LinksQuery, ListedLink, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { sentenceOf } from '../../components/states.tsx'
import { strings } from '../../strings.ts'
import { selectionStrings as texts } from './selection-strings.ts'
import { linksQuery, type ListQuery } from '../list/list-query.ts'
import { type BulkSet, partsOf, sendInParts } from './bulk-set.ts'
import { useBulkChanges } from './use-bulk-changes.ts'
import type { Selection } from './use-selection.ts'
import { listLinks } from '../listed-links.ts'
import { useQueryClient } from '@tanstack/react-query'
import { nowMs } from '../../now.ts'
import { RequestFailure, requestText } from '../../api/request.ts'
import { saveFile } from '../../save-file.ts'
import { endSession } from '../../use-session.ts'
import { type Toast, useToast } from '../../components/dialogs/toasts.tsx'

const TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson;charset=utf-8' }
// Without it, spreadsheets do not read the file as UTF-8. It is not in the text of a response.
const BYTE_ORDER_MARK = '\uFEFF'

type ExportFormat = keyof typeof TYPES

/**
 * The file of exactly these links, the newest first, with the rows of the export of a list. A URL has no room for all of
 * them, so the file is joined from parts. Throws a RequestFailure if any part is missing.
 */
async function exportedFile(
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

/** More are not selected at once. */
const SELECTED_LINKS_MAX = 10_000
const PER_PAGE = 100

type Collecting = { total: number; onProgress: (done: number) => void }

/** The links of all pages of a list, one page after another. Rows move while they are read: each is there once. */
async function collectLinks(query: LinksQuery, { total, onProgress }: Collecting): Promise<OwnLink[]> {
  const links = new Map<number, OwnLink>()
  const pages = Math.ceil(Math.min(total, SELECTED_LINKS_MAX) / PER_PAGE)
  for (let page = 1; page <= pages; page++) {
    const { data } = await listLinks({ ...query, page, per_page: PER_PAGE })
    for (const { sparkline: _, ...link } of data) links.set(link.id, link)
    if (page < pages) onProgress(links.size)
  }
  return [...links.values()]
}

/** Fewer are deleted without a question: it can be undone. */
const ASKED_FROM = 10

export type BulkWorkOptions = {
  selection: Selection
  rows: readonly ListedLink[]
  query: ListQuery
  /** How many links the list has on all pages. */
  total: number
}

export type BulkWork = ReturnType<typeof useBulkWork>

/** What can be done with the selected links, by the bar and by keys. */
export function useBulkWork({ selection, rows, query, total }: BulkWorkOptions) {
  const { change, remove, refused, close } = useBulkChanges(selection)
  const exportLinks = useExport()
  const [isAsking, setAsking] = useState(false)
  const rowsById = new Map(rows.map((link) => [link.id, link]))
  const links: OwnLink[] = [...selection.picked].map(([id, link]) => rowsById.get(id) ?? link)
  const areArchived = links.every(({ archived }) => archived)
  const areDisabled = links.every(({ is_active: isActive }) => !isActive)
  return {
    links,
    areArchived,
    areDisabled,
    total,
    all: Math.min(total, SELECTED_LINKS_MAX),
    selectAll: useSelectAll({ selection, rows, query, total }),
    archive: () =>
      void change(links, {
        set: { archived: !areArchived },
        verb: areArchived ? 'unarchived' : 'archived',
        isLeaving: query.archived !== 'include',
      }),
    turn: () =>
      void change(links, { set: { is_active: areDisabled }, verb: areDisabled ? 'enabled' : 'disabled' }),
    tag: (set: BulkSet) => void change(links, { set, verb: 'tagged' }),
    move: (folder: string | null) => void change(links, { set: { folder }, verb: 'moved' }),
    exportAs: (format: ExportFormat) => void exportLinks(links, format),
    remove: () => (links.length < ASKED_FROM ? void remove(links) : setAsking(true)),
    /** The question before a deletion of many. */
    question: isAsking
      ? {
          onYes: () => {
            setAsking(false)
            void remove(links)
          },
          onClose: () => setAsking(false),
        }
      : undefined,
    refused,
    closeRefused: close,
  }
}

/** Of all pages. Those of this page are there already. */
function useSelectAll({ selection, rows, query, total }: BulkWorkOptions) {
  const begin = useOneToast()
  return async () => {
    if (total <= rows.length) return selection.set(rows, true)
    const all = fullNumber(Math.min(total, SELECTED_LINKS_MAX))
    const say = begin()
    const onProgress = (done: number) =>
      say({ text: texts.collecting(fullNumber(done), all), shownMs: Number.POSITIVE_INFINITY })
    try {
      const links = await collectLinks(linksQuery(query), { total, onProgress })
      selection.set(links, true)
      say(undefined)
    } catch (error) {
      say({ tone: 'bad', text: strings.failure.undone(sentenceOf(error)) })
    }
  }
}

/** Saves selected links as a file, and says how far it is where that takes more than one part. */
function useExport() {
  const client = useQueryClient()
  const begin = useOneToast()
  return async (links: readonly OwnLink[], format: ExportFormat) => {
    const say = begin()
    const onProgress = (done: number) => {
      const text = texts.exporting(fullNumber(done), fullNumber(links.length))
      if (done < links.length) say({ text, progress: done / links.length })
    }
    try {
      const file = await exportedFile(links, format, onProgress)
      saveFile(`tern-links-${new Date(nowMs()).toISOString().slice(0, 10)}.${format}`, file)
      say(undefined)
    } catch (error) {
      if (error instanceof RequestFailure && error.kind === 'signed-out') endSession(client)
      say({ tone: 'bad', text: texts.notExported(sentenceOf(error)) })
    }
  }
}

type Say = (next: Toast | undefined) => void

/** For each work a toast that changes as the work goes on. Undefined takes it away. */
export function useOneToast(): () => Say {
  const toast = useToast()
  return () => {
    let message: Say | undefined
    return (next) => {
      if (message !== undefined) message(next)
      else if (next !== undefined) message = toast(next)
    }
  }
}
