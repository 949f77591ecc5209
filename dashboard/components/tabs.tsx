import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Tab = { id: string; label: string; content: ReactNode; isDisabled?: boolean }

type TabsProps = { label: string; tabs: Tab[]; open?: string; onOpen?: (id: string) => void }

export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  return (
    <Radix.Root
      {...(open === undefined ? { defaultValue: tabs[0]!.id } : { value: open })}
      {...(onOpen === undefined ? {} : { onValueChange: onOpen })}
    >
      <Radix.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.id} value={tab.id} className="tab" disabled={tab.isDisabled ?? false}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="tab-panel">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

type SegmentsProps<Value extends string> = {
  label: string
  choices: { value: Value; label: string }[]
  value: Value | undefined
  onChoice: (value: Value) => void
}

/** A choice of one, with every option visible. */
export function Segments<Value extends string>({ label, choices, value, onChoice }: SegmentsProps<Value>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="segment"
          aria-pressed={choice.value === value}
          onClick={() => onChoice(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
