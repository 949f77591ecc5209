import { relativeTime, shortUrlText } from '../../format.ts'
import { CopyButton } from '../../components/copy.tsx'
import { editLink, type LinkEdit, useLinkChange } from '../link-queries.ts'
import { RequestFailure } from '../../api/request.ts'
import { editorStrings } from './editor-strings.ts'
import { strings } from '../../strings.ts'
import type { LinkActions, OpenedLink } from '../link-actions.tsx'
import { LinkBadges } from '../link-name.tsx'
import { editInput, formOf } from './link-form.ts'
import { useOnce } from '../../components/fields/use-once.ts'
import { LinkPanel } from './link-panel.tsx'
import { type Neighbors, PanelTools } from './panel-tools.tsx'
import { useLinkForm } from './use-link-form.ts'
import { useEffect, useRef, useState } from 'react'
import type { LinkVersionView, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { Notice } from '../../components/states.tsx'
import { historyStrings as texts } from '../history/history-strings.ts'
import { deedOf } from '../history/change-text.ts'
import { useLatestVersions } from '../history/use-versions.ts'
import { VersionDiffs } from '../history/diff.tsx'
import { TextButton } from '../../components/button.tsx'

type ChangedElsewhereProps = {
  /** As the editor has shown it. */
  link: OwnLink
  /** Saves over what is shown here, and over nothing later. */
  onOverwrite: (seen: number) => void
}

/** Somebody else has changed the link since the editor was opened. */
function ChangedElsewhere({ link, onOverwrite }: ChangedElsewhereProps) {
  const [isOpen, setOpen] = useState(false)
  const unseen = useLatestVersions(link).data?.filter(({ version }) => version > link.version)
  const latest = unseen?.[0]
  if (unseen === undefined || latest === undefined) return null
  return (
    <div role="alert">
      <Notice tone="warn">
        {texts.changedElsewhere(latest.changed_by?.name ?? texts.somebody, relativeTime(latest.changed_at))}{' '}
        <ShowButton isOpen={isOpen} onClick={() => setOpen(!isOpen)} />{' '}
        <TextButton onClick={() => onOverwrite(latest.version)}>{texts.overwrite}</TextButton>
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
    <TextButton ref={element} aria-expanded={isOpen} onClick={onClick}>
      {isOpen ? texts.hideChanges : texts.showChanges}
    </TextButton>
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

type EditPanelProps = {
  opened: OpenedLink
  actions: LinkActions
  neighbors: Neighbors | undefined
}

export default function EditPanel({ opened: { link, place }, actions, neighbors }: EditPanelProps) {
  const edit = useLinkChange((input: LinkEdit) => editLink(link, input), { said: editorStrings.saved })
  const fields = useLinkForm(() => formOf(link), edit.error)
  const save = (seen = link.version) => {
    if (fields.changes.length === 0) return actions.close()
    const input = { ...editInput(fields.before, fields.form), seen_version: seen }
    return edit.mutateAsync(input, { onSuccess: actions.close })
  }
  const overwrite = useOnce(save)
  const url = shortUrlText(link.short_url)
  const isConflict = edit.error instanceof RequestFailure && edit.error.details.code === 'version_conflict'
  return (
    <LinkPanel
      title={editorStrings.edit}
      about={
        <>
          <strong className="cut">{url}</strong>
          <CopyButton text={link.short_url} label={strings.links.copyUrl(url)} />
          <LinkBadges link={link} />
        </>
      }
      tools={(leave) => (
        <PanelTools
          link={link}
          actions={actions}
          neighbors={neighbors}
          isReached={place === 'neighbors'}
          leave={leave}
        />
      )}
      neighbors={neighbors}
      opensSchedule={place === 'schedule'}
      opensTest={place === 'test'}
      notice={isConflict && <ChangedElsewhere link={link} onOverwrite={overwrite} />}
      link={link}
      fields={fields}
      error={isConflict ? null : edit.error}
      isSaving={edit.isPending}
      action={strings.actions.save}
      onSave={() => save()}
      onClose={actions.close}
    />
  )
}
