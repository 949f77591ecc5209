import { strings } from '../strings.ts'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { useFields } from '../components/fields/form.tsx'
import { ConfirmDialog } from './confirm-field.tsx'

type DeletionDialogProps = {
  texts: { title: string; action: string; text: string; confirm: (name: string) => string }
  /** What has to be typed. */
  name: string
  /** With the password, '' of a user who has none. */
  remove: (password: string) => Promise<unknown>
  onSuccess: () => unknown
  onClose: () => void
}

/** Requires the name of what is deleted to be typed, and a proof of who it is. */
export function DeletionDialog({ texts, name, remove, ...events }: DeletionDialogProps) {
  const { confirm, ...dialog } = texts
  const { values, field } = useFields({ name: '' })
  return (
    <ConfirmDialog
      {...dialog}
      {...events}
      variant="danger"
      missing={values.name.trim() === name ? undefined : strings.missing.typedName}
      change={remove}
      rereads={[]}
    >
      <TextField label={confirm(name)} {...VERBATIM} {...field('name')} autoFocus />
    </ConfirmDialog>
  )
}
