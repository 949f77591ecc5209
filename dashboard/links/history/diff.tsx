import type { ReactNode } from 'react'
import { changedPart } from './changed-part.ts'
import './history.css'
import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { diffsOf } from './change-text.ts'

type DiffProps = { before: readonly string[]; after: readonly string[] }

/** The lines that went and the lines that came. Of one line that became another, the part that differs is strong. */
export function Diff({ before, after }: DiffProps) {
  const gone = before.filter((line) => !after.includes(line))
  const come = after.filter((line) => !before.includes(line))
  const part = gone.length === 1 && come.length === 1 ? changedPart(gone[0]!, come[0]!) : undefined
  const marked = (line: string, changed: string | undefined) =>
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
          <Line mark="−">{marked(line, part?.before)}</Line>
        </del>
      ))}
      {come.map((line) => (
        <ins key={line}>
          <Line mark="+">{marked(line, part?.after)}</Line>
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

/** What a version changed. Fields are named where there are several. */
export function VersionDiffs({ changes }: { changes: LinkVersionView['changes'] }) {
  const diffs = diffsOf(changes)
  return diffs.map(({ field, name, before, after }) => (
    <div key={field} className="version-diff">
      {Object.keys(changes).length > 1 && <span className="hint">{name}</span>}
      <Diff before={before} after={after} />
    </div>
  ))
}
