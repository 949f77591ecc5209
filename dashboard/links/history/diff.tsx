import type { ReactNode } from 'react'
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

/** What two texts have in common at their starts and ends, and what differs between them: whole words. */
type ChangedPart = { start: string; before: string; after: string; end: string }

export function changedPart(before: string, after: string): ChangedPart {
  // Characters, not UTF-16 units: half of an emoji is nothing to show.
  const old = [...before]
  const now = [...after]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  while (isInWord(old, start) || isInWord(now, start)) start--
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  while (isInWord(old, old.length - end) || isInWord(now, now.length - end)) end--
  const between = (text: string[]) => text.slice(start, text.length - end).join('')
  return {
    start: old.slice(0, start).join(''),
    before: between(old),
    after: between(now),
    end: old.slice(old.length - end).join(''),
  }
}

const WORD = /[\p{L}\p{N}]/u
/** Whether the place before that character is within a word. */
const isInWord = (text: string[], at: number): boolean =>
  at > 0 && at < text.length && WORD.test(text[at - 1]!) && WORD.test(text[at]!)
