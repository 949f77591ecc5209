import type { ReactNode } from 'react'
import { changedPart } from './changed-part.ts'
import './history.css'

type DiffProps = { before: readonly string[]; after: readonly string[] }

/** The lines that went and the lines that came. Of one line that became another, the part that differs is strong. */
export function Diff({ before, after }: DiffProps) {
  const gone = before.filter((line) => !after.includes(line))
  const come = after.filter((line) => !before.includes(line))
  const part = gone.length === 1 && come.length === 1 ? changedPart(gone[0]!, come[0]!) : undefined
  const shown = (line: string, changed: string | undefined) =>
    // Strong throughout would say nothing.
    part === undefined || part.start + part.end === '' ? (
      line
    ) : (
      <>
        {part.start}
        <strong>{changed}</strong>
        {part.end}
      </>
    )
  return (
    <div className="diff">
      {gone.map((line) => (
        <del key={line}>
          <Line mark="−">{shown(line, part?.before)}</Line>
        </del>
      ))}
      {come.map((line) => (
        <ins key={line}>
          <Line mark="+">{shown(line, part?.after)}</Line>
        </ins>
      ))}
    </div>
  )
}

const Line = ({ mark, children }: { mark: string; children: ReactNode }) => (
  <>
    <span className="diff-mark" aria-hidden>
      {mark}
    </span>
    <span>{children}</span>
  </>
)
