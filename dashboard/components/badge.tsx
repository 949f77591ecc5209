import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { letterColor } from './letter-color.ts'

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'data' | 'outlined'

type BadgeProps = { tone?: Tone; icon?: LucideIcon; title?: string; children: ReactNode }

export const Badge = ({ tone = 'plain', icon: Icon, title, children }: BadgeProps) => (
  <span className={`badge is-${tone}`} title={title}>
    {Icon && <Icon size={13} aria-hidden />}
    {children}
  </span>
)

/** The first letter of a name, in a color of its own. */
export const InitialBadge = ({ name, shape = 'square' }: { name: string; shape?: 'square' | 'round' }) => (
  <span
    className={`letter is-${shape}`}
    style={{ '--letter': letterColor(name) } as React.CSSProperties}
    aria-hidden
  >
    {[...name][0] ?? '?'}
  </span>
)
