import { X } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { useMedia } from '../use-media.ts'
import { strings } from '../strings/strings.ts'
import { FloatingRoot } from './floating-root.ts'
import { useModal } from './modal.ts'

const NARROW = '(max-width: 899px)'

type PanelTab = 'form' | 'aside'

type SidePanelProps = {
  title: string
  /** Next to the title. */
  about?: ReactNode
  /** Escape and the backdrop ask for it too. */
  onClose: () => void
  form: ReactNode
  aside: ReactNode
  foot: ReactNode
  /** The names of the tabs on a narrow screen, where the form and what is beside it take turns. */
  tabNames: Record<PanelTab, string>
  tab: PanelTab
  onTab: (tab: PanelTab) => void
  onKeyDown: (event: React.KeyboardEvent) => void
}

/** A large form at the right, over the page. Only the middle scrolls. */
export function SidePanel({ title, about, onClose, foot, onKeyDown, ...content }: SidePanelProps) {
  const { shown, parts } = useModal({ onClose, isFirm: false })
  const titleId = useId()
  return (
    <dialog {...parts} className="panel" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <FloatingRoot value={shown}>
        <div className="panel-head">
          <h2 id={titleId}>{title}</h2>
          <div className="panel-about">{about}</div>
          <button
            type="button"
            className="button is-quiet is-icon"
            aria-label={strings.actions.close}
            onClick={onClose}
          >
            <X size={17} aria-hidden />
          </button>
        </div>
        <PanelContent title={title} {...content} />
        <div className="dialog-foot panel-foot">{foot}</div>
      </FloatingRoot>
    </dialog>
  )
}

type PanelContentProps = Pick<SidePanelProps, 'title' | 'form' | 'aside' | 'tabNames' | 'tab' | 'onTab'>

function PanelContent({ title, form, aside, tabNames, tab, onTab }: PanelContentProps) {
  if (!useMedia(NARROW)) {
    return (
      <div className="panel-middle">
        <div className="panel-form">{form}</div>
        <aside className="panel-aside" aria-label={tabNames.aside}>
          {aside}
        </aside>
      </div>
    )
  }
  const content = { form, aside }
  return (
    <Tabs.Root className="panel-middle" value={tab} onValueChange={(value) => onTab(value as PanelTab)}>
      <Tabs.List className="tabs" aria-label={title}>
        {(['form', 'aside'] as const).map((each) => (
          <Tabs.Trigger key={each} value={each} className="tab">
            {tabNames[each]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {/* Both stay, so that folds and positions are kept. */}
      {(['form', 'aside'] as const).map((each) => (
        <Tabs.Content key={each} value={each} className={`panel-${each}`} forceMount hidden={each !== tab}>
          {content[each]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
