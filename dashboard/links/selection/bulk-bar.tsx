import {
  Archive,
  ArchiveRestore,
  CircleCheck,
  CirclePause,
  Download,
  Ellipsis,
  FolderInput,
  type LucideIcon,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import type { ComponentProps } from 'react'
import { createPortal } from 'react-dom'
import { fullNumber } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { strings } from '../../strings.ts'
import { selectionStrings as texts } from './selection-strings.ts'
import './selection.css'
import { moveFocus } from '../../shell/shortcuts.ts'
import { PHONE, useMedia } from '../../use-media.ts'
import { FolderPicker, TagPicker } from './bulk-pickers.tsx'
import type { BulkWork } from './use-bulk-work.ts'
import type { OpenPicker, Selection } from './use-selection.ts'

const EXPORT_FORMATS = ['csv', 'ndjson'] as const
/** Where the head of the page says how many are selected, on a phone. */
const PICK_HEAD = 'pick-head'

type BulkBarProps = { selection: Selection; work: BulkWork }

/** At the bottom while links are selected. */
export function BulkBar({ selection, work }: BulkBarProps) {
  const isPhone = useMedia(PHONE)
  const head = isPhone ? document.getElementById(PICK_HEAD) : null
  const count = <Count selection={selection} work={work} />
  if (work.links.length === 0) return head && selection.isPicking ? createPortal(count, head) : null
  return (
    <>
      {head && createPortal(count, head)}
      <div
        className="bulk-bar"
        role="toolbar"
        aria-label={texts.bar}
        onKeyDown={(event) => moveFocus(event, 'button')}
      >
        {!isPhone && count}
        <Actions selection={selection} work={work} isPhone={isPhone} />
        {!isPhone && (
          <button type="button" className="bulk-close" aria-label={texts.clear} onClick={selection.clear}>
            <X size={17} aria-hidden />
          </button>
        )}
      </div>
    </>
  )
}

function Count({ selection, work }: BulkBarProps) {
  const { links, all, total } = work
  const hasMore = links.length < all
  const allText = all < total ? texts.allUpTo(fullNumber(all)) : texts.all(fullNumber(all))
  return (
    <span className="bulk-count">
      <strong role="status">{texts.selected(fullNumber(links.length))}</strong>
      {hasMore && (
        <button type="button" className="bulk-all" onClick={() => void work.selectAll()}>
          {allText}
        </button>
      )}
      {selection.isPicking && <Button onClick={selection.clear}>{texts.finish}</Button>}
    </span>
  )
}

function Actions({ selection, work, isPhone }: BulkBarProps & { isPhone: boolean }) {
  const { links, areArchived, areDisabled } = work
  const exports = EXPORT_FORMATS.map((format): MenuItem => ({
    label: strings.links.exportAs[format],
    icon: Download,
    onSelect: () => work.exportAs(format),
  }))
  const picker = (what: OpenPicker) => ({
    links,
    isOpen: selection.asked === what,
    onOpen: (isOpen: boolean) => selection.ask(isOpen ? what : undefined),
  })
  return (
    <>
      <TagPicker
        {...picker('tags')}
        onApply={work.tag}
        trigger={<BarButton icon={Tag} label={texts.tag} keys="t" />}
      />
      <FolderPicker
        {...picker('folder')}
        onMove={work.move}
        trigger={<BarButton icon={FolderInput} label={texts.move} keys="m" />}
      />
      <BarButton
        icon={areArchived ? ArchiveRestore : Archive}
        label={areArchived ? strings.links.unarchive : strings.links.archive}
        keys="a"
        onClick={work.archive}
      />
      <BarButton
        icon={areDisabled ? CircleCheck : CirclePause}
        label={areDisabled ? strings.links.enable : strings.links.disable}
        onClick={work.turn}
      />
      {isPhone ? (
        <Menu
          label={texts.more}
          trigger={<BarButton icon={Ellipsis} label={texts.more} />}
          items={[
            ...exports,
            { kind: 'line' },
            { label: strings.links.delete, icon: Trash2, isDanger: true, onSelect: work.remove },
          ]}
        />
      ) : (
        <>
          <Menu
            label={strings.links.export}
            trigger={<BarButton icon={Download} label={strings.links.export} />}
            items={exports}
          />
          <BarButton
            icon={Trash2}
            label={strings.links.delete}
            keys="Backspace"
            isDanger
            onClick={work.remove}
          />
        </>
      )}
    </>
  )
}

type BarButtonProps = ComponentProps<'button'> & {
  icon: LucideIcon
  label: string
  keys?: string
  isDanger?: boolean
}

const BarButton = ({ icon: Icon, label, keys, isDanger, ...rest }: BarButtonProps) => (
  <button
    {...rest}
    type="button"
    className={`bulk-action${isDanger ? ' is-danger' : ''}`}
    aria-keyshortcuts={keys}
  >
    <Icon size={17} aria-hidden />
    <span>{label}</span>
  </button>
)
