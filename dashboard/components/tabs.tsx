import type { LucideIcon } from 'lucide-react'
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** `count`: how many things are there, beside the label. */
type Tab = { id: string; label: string; count?: string | undefined; content: ReactNode }

type TabsProps = { label: string; tabs: Tab[]; open?: string; onOpen?: (id: string) => void }

export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const isDrawn = useRef(false)
  const [chosen, setChosen] = useState(tabs[0]!.id)
  const shown = open ?? chosen
  const base = useId()
  const idsOf = ({ id }: Tab) => ({ tab: `${base}-tab-${id}`, panel: `${base}-panel-${id}` })
  const isFirst = open === undefined || open === tabs[0]!.id
  // On a phone there can be more tabs than fit, and the URL can open any of them.
  useEffect(() => {
    // At first the first tab is in view, and to measure it the browser would have to lay out the page.
    if (isDrawn.current || !isFirst) showOpenTab(list.current!)
    isDrawn.current = true
  }, [open, isFirst])
  return (
    <Radix.Root value={shown} onValueChange={onOpen ?? setChosen}>
      <Radix.List ref={list} className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            id={idsOf(tab).tab}
            aria-controls={idsOf(tab).panel}
            className="tab"
          >
            {tab.label}
            {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} ids={idsOf(tab)} isShown={tab.id === shown}>
          {tab.content}
        </TabPanel>
      ))}
    </Radix.Root>
  )
}

type TabPanelProps = { ids: { tab: string; panel: string }; isShown: boolean; children: ReactNode }

/** Radix would compute the styles of the page for each of its panels, to wait for animations that ours do not have. */
const TabPanel = ({ ids, isShown, children }: TabPanelProps) => (
  <div
    role="tabpanel"
    id={ids.panel}
    aria-labelledby={ids.tab}
    tabIndex={0}
    className="tab-panel"
    hidden={!isShown}
  >
    {isShown && children}
  </div>
)

/** Scrolls the row of tabs, and never the page. */
function showOpenTab(list: HTMLElement): void {
  const tab = list.querySelector('[data-state=active]')?.getBoundingClientRect()
  if (tab === undefined) return
  const { left, right } = list.getBoundingClientRect()
  list.scrollLeft += Math.max(0, tab.right - right) - Math.max(0, left - tab.left)
}

type SegmentsProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: string; icon?: LucideIcon }[]
  value: Value | undefined
  onChoice: (value: Value) => void
}

/** A choice of one, with every option visible. */
export function Segments<Value extends string>({ label, choices, value, onChoice }: SegmentsProps<Value>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(({ value: each, label: name, icon: Icon }) => (
        <button
          key={each}
          type="button"
          className="segment"
          aria-pressed={each === value}
          onClick={() => onChoice(each)}
        >
          {Icon && <Icon size={15} aria-hidden />}
          {name}
        </button>
      ))}
    </div>
  )
}
