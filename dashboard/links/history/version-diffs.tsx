import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { Diff } from './diff.tsx'
import { diffsOf } from './change-text.ts'

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
