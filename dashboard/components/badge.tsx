import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'data' | 'outlined'

type BadgeProps = { tone?: Tone; icon?: LucideIcon; title?: string; children: ReactNode }

export const Badge = ({ tone = 'plain', icon: Icon, title, children }: BadgeProps) => (
  <span className={`badge is-${tone}`} title={title}>
    {Icon && <Icon size={13} aria-hidden />}
    {children}
  </span>
)

const LETTER_COLOURS = 6

/** The first letter of a name, in a color of its own: no favicon is fetched from a third party. */
export function InitialBadge({ name, shape = 'square' }: { name: string; shape?: 'square' | 'round' }) {
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return (
    <span
      className={`letter is-${shape}`}
      style={{ '--letter': `var(--data-${(sum % LETTER_COLOURS) + 1})` } as React.CSSProperties}
      aria-hidden
    >
      {[...name][0] ?? '?'}
    </span>
  )
}
