import type { LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { Menu } from '../../../components/pickers/menu.tsx'
import type { ConditionKind } from './rule-form.ts'

export type FreeKind = { kind: ConditionKind; label: string; icon: LucideIcon }

type KindMenuProps = {
  label: string
  kinds: readonly FreeKind[]
  trigger: React.ReactElement
  onKind: (kind: ConditionKind) => void
  /** When the menu has closed, and would return the focus. */
  onChosen: (kind: ConditionKind) => void
}

/** A chosen kind opens its values at once. */
export function KindMenu({ label, kinds, trigger, onKind, onChosen }: KindMenuProps) {
  const chosen = useRef<ConditionKind>(null)
  return (
    <Menu
      label={label}
      align="start"
      trigger={trigger}
      items={kinds.map(({ kind, label: name, icon }) => ({
        label: name,
        icon,
        onSelect: () => {
          chosen.current = kind
          onKind(kind)
        },
      }))}
      onClosed={(event) => {
        if (chosen.current === null) return
        event.preventDefault()
        onChosen(chosen.current)
        chosen.current = null
      }}
    />
  )
}
