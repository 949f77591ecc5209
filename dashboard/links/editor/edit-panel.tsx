import { withoutScheme } from '../../format.ts'
import { CopyButton } from '../../components/copy.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useLinkEdit } from '../../queries.ts'
import { RequestFailure } from '../../request.ts'
import { editorStrings } from '../../strings/editor-strings.ts'
import { strings } from '../../strings/strings.ts'
import type { LinkActions, OpenedLink } from '../link-actions.tsx'
import { LinkBadges } from '../link-badges.tsx'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { editInput, formOf } from './link-form.ts'
import { LinkPanel } from './link-panel.tsx'
import { type Neighbors, PanelTools } from './panel-tools.tsx'
import { useLinkForm } from './use-link-form.ts'
import '../../styles/history-style.ts'

type EditPanelProps = {
  opened: OpenedLink
  actions: LinkActions
  neighbors: Neighbors | undefined
}

export default function EditPanel({ opened: { link, place }, actions, neighbors }: EditPanelProps) {
  const edit = useLinkEdit()
  const toast = useToast()
  const fields = useLinkForm(() => formOf(link), edit.error)
  const save = (seen = link.version) => {
    if (fields.changes.length === 0) return actions.close()
    const input = { ...editInput(fields.before, fields.form), seen_version: seen }
    edit.mutate(
      { link, input },
      {
        onSuccess: () => {
          toast({ text: editorStrings.saved })
          actions.close()
        },
      },
    )
  }
  const url = withoutScheme(link.short_url)
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
      notice={isConflict && <ChangedElsewhere link={link} onOverwrite={save} />}
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
