import type { LinkView } from '../../../src/http/dashboard-api/dashboard-types.ts'
import { withoutScheme } from '../../format.ts'
import { CopyButton } from '../../components/copy.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useLinkEdit } from '../../queries.ts'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import { strings } from '../../strings/strings.ts'
import { LinkBadges } from '../link-badges.tsx'
import { editInput, formOf } from './link-form.ts'
import { LinkPanel } from './link-panel.tsx'
import { useLinkForm } from './use-link-form.ts'

export default function EditPanel({ link, onClose }: { link: LinkView; onClose: () => void }) {
  const edit = useLinkEdit()
  const toast = useToast()
  const fields = useLinkForm(() => formOf(link), edit.error)
  const save = () => {
    if (fields.changes.length === 0) return onClose()
    edit.mutate(
      { code: link.short_code, input: editInput(fields.before, fields.form) },
      {
        onSuccess: () => {
          toast({ text: lazyStrings.editor.saved })
          onClose()
        },
      },
    )
  }
  const url = withoutScheme(link.short_url)
  return (
    <LinkPanel
      title={lazyStrings.editor.edit}
      about={
        <>
          <strong className="cut">{url}</strong>
          <CopyButton text={link.short_url} label={strings.links.copyUrl(url)} />
          <LinkBadges link={link} />
        </>
      }
      link={link}
      fields={fields}
      error={edit.error}
      isSaving={edit.isPending}
      action={strings.actions.save}
      onSave={save}
      onClose={onClose}
    />
  )
}
