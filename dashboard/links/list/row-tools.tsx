import { Pencil, QrCode } from 'lucide-react'
import { Suspense } from 'react'
import type { ListedLink } from '../../../src/http/endpoints/browser-types.ts'
import { IconButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { MenuButton } from '../../components/pickers/menu-button.tsx'
import { shortUrlText } from '../../format.ts'
import { strings } from '../../strings.ts'
import type { LinkActions } from '../link-actions.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { afterPaint } from '../../chunks/chunks.ts'

export type RowToolsProps = {
  link: ListedLink
  actions: LinkActions & { duplicate: (link: ListedLink) => void }
  selection: Selection
  /** The most frequent actions are in the row, not only in its menu. */
  hasReady: boolean
}

/** Shown on hover and focus. The menu has all actions. */
export function RowTools({ link, actions, selection, hasReady }: RowToolsProps) {
  const { short_code: code } = link
  return (
    <span className="row-tools">
      {hasReady && (
        <span className="row-tools-ready">
          <CopyButton text={link.short_url} label={strings.links.copyUrl(shortUrlText(link.short_url))} />
          <IconButton
            label={strings.links.qrOf(code)}
            icon={QrCode}
            onClick={() => actions.open('qr', link)}
          />
          {actions.canWrite && (
            <IconButton label={strings.links.editOf(code)} icon={Pencil} onClick={() => actions.edit(link)} />
          )}
        </span>
      )}
      <Suspense fallback={<MenuButton disabled aria-label={strings.links.menuOf(code)} />}>
        <afterPaint.RowMenu {...{ link, actions, selection }} />
      </Suspense>
    </span>
  )
}
