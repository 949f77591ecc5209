import type { ReactNode } from 'react'
import { exactTime, relativeTime } from '../format.ts'

type TimeProps = {
  at: string | null
  /** Instead of how long ago it was. */
  children?: ReactNode
  /** Where there is no time. */
  none?: string
}

/** The exact time is shown on demand. */
export function Time({ at, children, none }: TimeProps) {
  if (at === null) return none && <span className="soft">{none}</span>
  return (
    <time className="soft" dateTime={at} title={exactTime(at)}>
      {children ?? relativeTime(at)}
    </time>
  )
}
