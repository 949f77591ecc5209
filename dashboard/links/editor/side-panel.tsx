import type { LucideIcon } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type ReactNode, useId, useState } from 'react'
import { useMedia } from '../../use-media.ts'
import { CloseButton } from '../../components/dialogs/dialog.tsx'
import { FloatingRoot } from '../../components/pickers/floating-root.ts'
import { useModal } from '../../components/dialogs/modal.ts'
import { Segments } from '../../components/tabs.tsx'
import './panel.css'
import './preview/link-preview.css'

export const FORM = 'form'
export const PREVIEW = 'preview'
export const TEST = 'test'
const NARROW = '(max-width: 899px)'

/** What can be next to the form. */
type PanelAside = { value: string; label: string; icon: LucideIcon; content: ReactNode }

type SidePanelProps = {
  title: string
  /** Next to the title. */
  about?: ReactNode
  /** Before the close button. */
  tools?: ReactNode
  /** Escape and the backdrop ask for it too. */
  onClose: () => void
  form: ReactNode
  foot: ReactNode
  formName: string
  /** One of them is beside the form. On a narrow screen they and the form take turns. */
  asides: readonly PanelAside[]
  asidesName: string
  /** Of the aside that is shown on a wide screen. */
  aside: string
  /** On a narrow screen: `form`, or an aside. */
  tab: string
  onTab: (tab: string) => void
  onKeyDown: (event: React.KeyboardEvent) => void
}

/** A large form at the right, over the page. Only the middle scrolls. */
export function SidePanel({ title, about, tools, onClose, foot, onKeyDown, ...content }: SidePanelProps) {
  const { shown, parts } = useModal({ onClose, isFirm: false })
  const titleId = useId()
  return (
    <dialog {...parts} className="panel" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <FloatingRoot value={shown}>
        <div className="panel-head">
          <h2 id={titleId}>{title}</h2>
          <div className="panel-about">{about}</div>
          {tools}
          <CloseButton onClose={onClose} />
        </div>
        <PanelContent title={title} {...content} />
        <div className="dialog-foot panel-foot">{foot}</div>
      </FloatingRoot>
    </dialog>
  )
}

type PanelContentProps = Pick<
  SidePanelProps,
  'title' | 'form' | 'formName' | 'asides' | 'asidesName' | 'aside' | 'tab' | 'onTab'
>

function PanelContent({ title, form, formName, asides, asidesName, aside, tab, onTab }: PanelContentProps) {
  if (!useMedia(NARROW)) {
    return (
      <div className="panel-middle">
        <div className="panel-form">{form}</div>
        <aside className="panel-aside" aria-label={asidesName}>
          {asides.length > 1 && (
            <Segments label={asidesName} choices={asides} value={aside} onChoice={onTab} />
          )}
          {asides.find(({ value }) => value === aside)?.content}
        </aside>
      </div>
    )
  }
  const tabs = [{ value: FORM, label: formName, content: form }, ...asides]
  return (
    <Tabs.Root className="panel-middle" value={tab} onValueChange={onTab}>
      <Tabs.List className="tabs" aria-label={title}>
        {tabs.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} className="tab">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {/* All stay, so that folds and positions are kept. */}
      {tabs.map(({ value, content }) => (
        <Tabs.Content
          key={value}
          value={value}
          className={value === FORM ? 'panel-form' : 'panel-aside'}
          forceMount
          hidden={value !== tab}
        >
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

/** What is beside the form, and on a narrow screen instead of it. */
export function usePanelTabs(opensTest: boolean) {
  const [tab, setTab] = useState(opensTest ? TEST : FORM)
  const [aside, setAside] = useState(opensTest ? TEST : PREVIEW)
  const [isChosen, setChosen] = useState(opensTest)
  return {
    tab,
    aside,
    onTab: (next: string) => {
      setTab(next)
      if (next === FORM) return
      setAside(next)
      setChosen(true)
    },
    /** What fits to the fields that were opened. Who has chosen keeps the choice. */
    suggest: (fitting: string) => {
      if (!isChosen) setAside(fitting)
    },
  }
}
