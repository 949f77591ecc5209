import { type FormEvent, useId, useState } from 'react'
import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useLinkEdit } from '../queries.ts'
import { words } from '../words.ts'
import { withScheme } from './pasted-url.ts'

export default function EditDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  const [address, setAddress] = useState(link.original_url)
  const [title, setTitle] = useState(link.title)
  const edit = useLinkEdit()
  const toast = useToast()
  const formId = useId()
  const save = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate(
      { code: link.short_code, original_url: withScheme(address.trim()), title: title.trim() || null },
      {
        onSuccess: () => {
          toast({ text: words.links.saved })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={words.links.editTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={formId} look="primary" isBusy={edit.isPending}>
            {words.actions.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={save} noValidate>
        <FormFailure error={edit.error} />
        <TextField
          label={words.links.destination}
          type="url"
          inputMode="url"
          value={address}
          onText={setAddress}
          errors={errorsOf(edit.error, 'original_url', 'url')}
          autoFocus
        />
        <TextField
          label={words.links.label}
          hint={words.links.labelHint}
          maxLength={255}
          value={title}
          onText={setTitle}
          errors={errorsOf(edit.error, 'title')}
        />
        <TextField label={words.links.code} hint={words.links.codeFixed} value={link.short_code} readOnly />
      </form>
    </Dialog>
  )
}
