import { useState } from 'react'
import type { ListedLink, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { sentenceOf } from '../../components/states.tsx'
import { strings } from '../../strings/strings.ts'
import { selectionStrings as texts } from '../../strings/selection-strings.ts'
import { type ListQuery, linksQuery } from '../list-query.ts'
import type { BulkSet } from './bulk-set.ts'
import { collectLinks, SELECTED_LINKS_MAX } from './collect-links.ts'
import { useOneToast } from './one-toast.ts'
import { useBulkChanges } from './use-bulk-changes.tsx'
import type { ExportFormat } from './exported-file.ts'
import { useExport } from './use-export.ts'
import type { Selection } from './use-selection.ts'

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
  const shown = new Map(rows.map((link) => [link.id, link]))
  const links: OwnLink[] = [...selection.picked].map(([id, link]) => shown.get(id) ?? link)
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
