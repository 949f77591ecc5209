import { type RefObject, useImperativeHandle } from 'react'
import { fullNumber } from '../../format.ts'
import { Dialog, Question } from '../../components/dialog.tsx'
import { selectionStrings as texts } from '../../strings/selection-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import type { Refused } from './send-in-parts.ts'
import { type BulkWork, type BulkWorkOptions, useBulkWork } from './use-bulk-work.ts'
import { useFocusKept } from './use-focus-kept.ts'

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
          action={texts.delete}
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
