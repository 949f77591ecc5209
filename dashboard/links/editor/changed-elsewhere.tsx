import { useEffect, useRef, useState } from 'react'
import type { LinkVersionView, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { relativeTime } from '../../format.ts'
import { Notice } from '../../components/states.tsx'
import { historyStrings as texts } from '../../strings/history-strings.ts'
import { deedOf } from '../history/change-text.ts'
import { useLatestVersions } from '../history/use-versions.ts'
import { VersionDiffs } from '../history/version-diffs.tsx'

type ChangedElsewhereProps = {
  /** As the editor has shown it. */
  link: OwnLink
  /** Saves over what is shown here, and over nothing later. */
  onOverwrite: (seen: number) => void
}

/** Somebody else has changed the link since the editor was opened. */
export function ChangedElsewhere({ link, onOverwrite }: ChangedElsewhereProps) {
  const [isOpen, setOpen] = useState(false)
  const unseen = useLatestVersions(link).data?.filter(({ version }) => version > link.version)
  const latest = unseen?.[0]
  if (unseen === undefined || latest === undefined) return null
  return (
    <div role="alert">
      <Notice tone="warn">
        {texts.changedElsewhere(latest.changed_by?.name ?? texts.somebody, relativeTime(latest.changed_at))}{' '}
        <ShowButton isOpen={isOpen} onClick={() => setOpen(!isOpen)} />{' '}
        <button type="button" className="text-button" onClick={() => onOverwrite(latest.version)}>
          {texts.overwrite}
        </button>
        {isOpen && unseen.map((version) => <Unseen key={version.version} version={version} />)}
      </Notice>
    </div>
  )
}

/** Has the focus at first: saving did not do what was asked, and the form may be scrolled away from here. */
function ShowButton({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => element.current!.focus(), [])
  return (
    <button ref={element} type="button" className="text-button" aria-expanded={isOpen} onClick={onClick}>
      {isOpen ? texts.hideChanges : texts.showChanges}
    </button>
  )
}

const Unseen = ({ version: { changed_by: by, changes } }: { version: LinkVersionView }) => (
  <div className="version-diffs">
    <p>
      <strong>{by?.name ?? texts.somebody}</strong> {deedOf(changes)}
    </p>
    <VersionDiffs changes={changes} />
  </div>
)
