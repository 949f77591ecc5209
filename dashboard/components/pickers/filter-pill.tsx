import { Plus, X } from 'lucide-react'
import type { MouseEvent, ReactElement, ReactNode } from 'react'
import { listStrings } from '../../links/list/list-strings.ts'
import './filters.css'

type FilterPillProps = {
  label: string
  /** What is set: "Winter 2026". Undefined: nothing. */
  value: string | undefined
  onClear: () => void
  /** What opens from the button. */
  children: (trigger: ReactElement) => ReactNode
}

/** A filter: dashed while it is empty, and with a button that removes it when it is set. */
export function FilterPill({ label, value, onClear, children }: FilterPillProps) {
  const clear = ({ currentTarget }: MouseEvent) => {
    // This button goes, and would take the focus with it.
    currentTarget.parentElement!.querySelector<HTMLElement>('.pill-open')!.focus()
    onClear()
  }
  return (
    <span className={`pill${value === undefined ? '' : ' is-set'}`}>
      {children(
        <button type="button" className="pill-open">
          {value === undefined && <Plus size={14} aria-hidden />}
          <span className="cut">
            {label}
            {value !== undefined && (
              <>
                : <b>{value}</b>
              </>
            )}
          </span>
        </button>,
      )}
      {value !== undefined && (
        <button
          type="button"
          className="pill-clear"
          aria-label={listStrings.remove(label)}
          title={listStrings.remove(label)}
          onClick={clear}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}
