import { type FormEvent, useId, useState } from 'react'
import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { errorsOf, FormFailure } from '../components/states.tsx'
import { useToast } from '../components/toasts.tsx'
import { useLinkEdit } from '../queries.ts'
import { strings } from '../strings/strings.ts'
import { withScheme } from './pasted-url.ts'

export default function EditDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  const [url, setUrl] = useState(link.original_url)
  const [title, setTitle] = useState(link.title)
  const edit = useLinkEdit()
  const toast = useToast()
  const formId = useId()
  const save = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate(
      { code: link.short_code, original_url: withScheme(url.trim()), title: title.trim() || null },
      {
        onSuccess: () => {
          toast({ text: strings.links.saved })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={strings.links.editTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.actions.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={edit.isPending}>
            {strings.actions.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={save} noValidate>
        <FormFailure error={edit.error} />
        <TextField
          label={strings.links.destination}
          type="url"
          inputMode="url"
          value={url}
          onText={setUrl}
          errors={errorsOf(edit.error, 'original_url', 'url')}
          autoFocus
        />
        <TextField
          label={strings.links.label}
          hint={strings.links.labelHint}
          maxLength={255}
          value={title}
          onText={setTitle}
          errors={errorsOf(edit.error, 'title')}
        />
        <TextField
          label={strings.links.code}
          hint={strings.links.codeFixed}
          value={link.short_code}
          readOnly
        />
      </form>
    </Dialog>
  )
}
