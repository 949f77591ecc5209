import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedLink, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { fullNumber } from '../../format.ts'
import { sentenceOf } from '../../components/states.tsx'
import { type Toast } from '../../components/dialogs/toasts.tsx'
import { patchListed } from '../listed-links.ts'
import { useListRefresh } from '../link-queries.ts'
import { strings } from '../../strings.ts'
import { selectionStrings as texts } from './selection-strings.ts'
import { RequestFailure } from '../../api/request.ts'
import { endSession } from '../../use-session.ts'
import {
  type BulkSet,
  type ChangedLink,
  groupsWithout,
  linksWithout,
  partsByDomain,
  type Refused,
  sendInParts,
  type SentItems,
  type UndoGroup,
  undoGroups,
  withSet,
} from './bulk-set.ts'
import { useOneToast } from './use-bulk-work.ts'
import type { Selection } from './use-selection.ts'

type Verb = keyof typeof texts.verbs

/** What was wanted, and how it is undone. False: there is nothing to undo. */
type UndoableChange = { verb: Verb; undo: false | (() => void) }

/** Changes and deletions of many links: shown at once, sent in parts, undone for ten seconds. */
export function useBulkChanges(selection: Selection) {
  const client = useQueryClient()
  const refresh = useListRefresh()
  const { begin, refused, close } = useBulkToasts()
  const show = (links: readonly OwnLink[], change: (link: ListedLink) => ListedLink | undefined) => {
    const ids = idsOf(links)
    return patchListed(client, (link) => (ids.has(link.id) ? change(link) : link))
  }
  /** `isLeaving`: the links leave the list, so they do not stay selected. */
  const change = async (links: readonly OwnLink[], { set, verb, isLeaving = false }: BulkChange) => {
    const { progress, tell } = begin(links.length)
    await show(links, (link) => withSet(link, set))
    const result = await sendInParts(partsByDomain(links), (part) => update(part, set), progress)
    const ids = idsOf(result.done)
    selection.patch((link) => (ids.has(link.id) ? withSet(link, set) : link))
    if (isLeaving) selection.set(result.done, false)
    tell(result, { verb, undo: undoOf(undoGroups(result.answers.flat())) })
    refresh()
  }
  const undoOf = (groups: readonly UndoGroup[]) => groups.length > 0 && (() => void changeBack(groups))
  const changeBack = async (groups: readonly UndoGroup[]) => {
    const { progress, tell } = begin(groups.flatMap(({ links }) => links).length)
    const result = await sendGroups(client, groups, progress)
    const done = idsOf(result.done)
    selection.patch((link) => (done.has(link.id) ? withGroups(link, groups) : link))
    // What is left can be undone again.
    tell(result, { verb: 'undone', undo: undoOf(groupsWithout(groups, result)) })
    refresh()
  }
  const remove = async (links: readonly OwnLink[]) => {
    const { progress, tell } = begin(links.length)
    await show(links, () => undefined)
    const result = await sendInParts(partsByDomain(links), removeAll, progress)
    selection.set(result.done, false)
    tell(result, { verb: 'deleted', undo: restorationOf(result.done) })
    refresh()
  }
  const restorationOf = (links: readonly OwnLink[]) => links.length > 0 && (() => void restore(links))
  const restore = async (links: readonly OwnLink[]) => {
    const { progress, tell } = begin(links.length)
    const result = await sendInParts(partsByDomain(links), restoreAll, progress)
    tell(result, { verb: 'restored', undo: restorationOf(linksWithout(links, result)) })
    refresh()
  }
  return { change, remove, refused, close }
}

export type BulkChange = { set: BulkSet; verb: Verb; isLeaving?: boolean }

const idsOf = (links: readonly OwnLink[]) => new Set(links.map(({ id }) => id))

/** The codes of links of one domain. */
const namesOf = (links: readonly OwnLink[]) => ({
  short_codes: links.map(({ short_code: code }) => code),
  domain: links[0]!.domain,
})

async function update(links: readonly OwnLink[], set: BulkSet): Promise<ChangedLink[]> {
  const { data } = await ask('POST /links/bulk-update', { input: { ...namesOf(links), set } })
  const byCode = new Map(links.map((link) => [link.short_code, link]))
  return data.map(({ short_code: code, before }) => ({ link: byCode.get(code)!, before }))
}
const removeAll = (links: OwnLink[]) => ask('POST /links/bulk-delete', { input: namesOf(links) })
const restoreAll = (links: OwnLink[]) => ask('POST /links/bulk-restore', { input: namesOf(links) })

/** One after another: a failure stops the rest. */
async function sendGroups(
  client: QueryClient,
  groups: readonly UndoGroup[],
  onProgress: (done: number) => void,
): Promise<SentItems<OwnLink>> {
  const all: SentItems<OwnLink> = { answers: [], done: [], refused: [] }
  let count = 0
  for (const { set, links } of groups) {
    const ids = idsOf(links)
    await patchListed(client, (link) => (ids.has(link.id) ? withSet(link, set) : link))
    const before = count
    const { done, refused, failure } = await sendInParts(
      partsByDomain(links),
      (part) => update(part, set),
      (inGroup) => onProgress(before + inGroup),
    )
    count += links.length
    all.done.push(...done)
    all.refused.push(...refused)
    if (failure !== undefined) return { ...all, failure }
  }
  return all
}

const withGroups = (link: OwnLink, groups: readonly UndoGroup[]): OwnLink => {
  const group = groups.find(({ links }) => links.some(({ id }) => id === link.id))
  return group === undefined ? link : withSet(link, group.set)
}

/** Says how far it is, and then what became of it. */
function useBulkToasts() {
  const client = useQueryClient()
  const beginToast = useOneToast()
  const [refused, setRefused] = useState<Refused<OwnLink>[]>()
  const begin = (total: number) => {
    const say = beginToast()
    return {
      /** Only where there is more than one part. */
      progress: (done: number) => {
        const text = texts.progress(fullNumber(done), fullNumber(total))
        if (done < total) say({ text, progress: done / total })
      },
      tell: (sent: SentItems<OwnLink>, { verb, undo }: UndoableChange) => {
        if (sent.failure instanceof RequestFailure && sent.failure.kind === 'signed-out') endSession(client)
        const show = { label: texts.show, onSelect: () => setRefused(sent.refused) }
        say({
          ...outcome(sent, { verb, total }),
          ...(undo && { onUndo: undo }),
          ...(sent.refused.length > 0 && { actions: [show] }),
        })
      },
    }
  }
  return { begin, refused, close: () => setRefused(undefined) }
}

function outcome(
  { done, failure }: SentItems<OwnLink>,
  { verb, total }: { verb: Verb; total: number },
): Toast {
  const count = fullNumber(done.length)
  const all = fullNumber(total)
  if (done.length === total) return { text: texts.done[verb](count) }
  const word = texts.verbs[verb]
  if (failure === undefined) return { tone: 'bad', text: texts.partly(count, all, word) }
  if (done.length === 0) return { tone: 'bad', text: strings.failure.undone(sentenceOf(failure)) }
  return { tone: 'bad', text: `${texts.stopped(count, all, word)} ${sentenceOf(failure)}` }
}
