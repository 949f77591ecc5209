import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { exactTime } from '../format.ts'

type Row = {
  id: string | number
  name: string
  /** What is known of it, and the time that it is about. */
  hint: string
  at: string
  /** At the end: what can be done with it. */
  action: ReactNode
}

type RowListProps = { label: string; icon: LucideIcon; rows: readonly Row[] }

/** A few things in a card, each with a line about it. */
export const RowList = ({ label, icon: Icon, rows }: RowListProps) => (
  <ul className="rows" aria-label={label}>
    {rows.map(({ id, name, hint, at, action }) => (
      <li key={id}>
        <Icon size={18} aria-hidden />
        <div>
          <strong>{name}</strong>
          <div className="hint" title={exactTime(at)}>
            {hint}
          </div>
        </div>
        {action}
      </li>
    ))}
  </ul>
)
