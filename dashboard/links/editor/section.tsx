import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

type SectionProps = {
  icon: LucideIcon
  title: string
  /** What is set in it, shown while it is closed. */
  summary: string
  isSet: boolean
  /** Opens it, because the error would be hidden. */
  hasErrors: boolean
  /** Open from the start, with the focus. */
  isFirst?: boolean
  onOpen?: (() => void) | undefined
  children: ReactNode
}

/** One fold of a long form. */
export function Section({
  icon: Icon,
  title,
  summary,
  isSet,
  hasErrors,
  isFirst = false,
  onOpen,
  children,
}: SectionProps) {
  const element = useRef<HTMLDetailsElement>(null)
  // Before the panel around it opens and gives the focus.
  const openFirst = useEffectEvent(() => {
    if (isFirst) element.current!.open = true
  })
  useLayoutEffect(() => openFirst(), [])
  useEffect(() => {
    if (hasErrors) element.current!.open = true
  }, [hasErrors])
  return (
    <details
      ref={element}
      className="section"
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    >
      <summary data-first={isFirst || undefined}>
        <Icon size={17} aria-hidden />
        <span className="section-title">{title}</span>
        <span className={`section-summary cut${isSet ? '' : ' soft'}`}>{summary}</span>
        <ChevronRight size={17} className="section-arrow" aria-hidden />
      </summary>
      <div className="section-body">{children}</div>
    </details>
  )
}
