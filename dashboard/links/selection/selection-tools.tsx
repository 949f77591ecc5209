import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { fullNumber } from '../../format.ts'
import { Dialog, Question } from '../../components/dialogs/dialog.tsx'
import { selectionStrings as texts } from './selection-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import type { Refused } from './bulk-set.ts'
import { type BulkWork, type BulkWorkOptions, useBulkWork } from './use-bulk-work.ts'
import { strings } from '../../strings.ts'

const FRAMES_MAX = 30
const isInMenu = (element: Element | null) => element?.closest('[role=menu]') != null
/** What acts on rows without being in one. */
const BESIDE = '[role=menu], [role=toolbar], .floating, dialog'

/**
 * Moves the focus from a deleted row to the row that takes its place, and from the bar of selected rows back to where it was.
 * `count`: of rows and of selected ones.
 */
function useFocusKept(frame: RefObject<HTMLElement | null>, count: number): void {
  /** The row that has the focus, or whose menu has it. */
  const place = useRef(-1)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const row = (target as Element).closest('tr')
      if (row && frame.current?.contains(row)) place.current = [...row.parentElement!.children].indexOf(row)
      else if ((target as Element).closest(BESIDE) === null) place.current = -1
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [frame])
  const countBefore = useRef(count)
  useEffect(() => {
    const isFewer = count < countBefore.current
    countBefore.current = count
    if (!isFewer || place.current < 0) return
    // The row's menu may still be closing and has the focus until then.
    const give = (frames: number) => {
      if (isInMenu(document.activeElement) && frames > 0) requestAnimationFrame(() => give(frames - 1))
      if (document.activeElement !== document.body) return
      const names = frame.current?.querySelectorAll<HTMLElement>('tbody .row-link') ?? []
      names[Math.min(place.current, names.length - 1)]?.focus()
    }
    requestAnimationFrame(() => give(FRAMES_MAX))
  }, [count, frame])
}

type SelectionToolsProps = BulkWorkOptions & {
  /** For the keys of the list. */
  ref: RefObject<BulkWork | undefined>
  /** Around the rows. */
  frame: RefObject<HTMLElement | null>
}

/** The bar of selected links. Loaded after the list. */
export default function SelectionTools({ ref, ...options }: SelectionToolsProps) {
  const work = useBulkWork(options)
  useFocusKept(options.frame, options.rows.length + options.selection.picked.size)
  useImperativeHandle(ref, () => work)
  const { trash_days: trashDays } = useSignedIn().instance
  const count = fullNumber(work.links.length)
  return (
    <>
      <BulkBar selection={options.selection} work={work} />
      {work.question && (
        <Question
          title={texts.deleteTitle(count)}
          text={texts.deleteText(trashDays)}
          action={strings.links.delete}
          {...work.question}
        />
      )}
      {work.refused && <RefusedLinks refused={work.refused} onClose={work.closeRefused} />}
    </>
  )
}

type RefusedLinksProps = { refused: readonly Refused<OwnLink>[]; onClose: () => void }

const RefusedLinks = ({ refused, onClose }: RefusedLinksProps) => (
  <Dialog title={texts.refusedTitle} onClose={onClose}>
    <p>{texts.refusedText}</p>
    <table className="table is-tight">
      <thead>
        <tr>
          <th scope="col">{texts.link}</th>
          <th scope="col">{texts.reason}</th>
        </tr>
      </thead>
      <tbody>
        {refused.map(({ item: link, reason }) => (
          <tr key={link.id}>
            <td>
              <strong>{link.short_code}</strong>
            </td>
            <td>{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Dialog>
)
