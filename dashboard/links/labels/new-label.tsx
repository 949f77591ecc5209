import { strings } from '../../strings.ts'
import { useState } from 'react'
import { TextField } from '../../components/fields/field.tsx'
import { FormDialog } from '../../components/fields/form.tsx'
import { errorsOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { labelStrings } from './label-strings.ts'
import { type LabelKind, useLabelCreation } from './label-queries.ts'

export function NewLabelDialog({ kind, onClose }: { kind: LabelKind; onClose: () => void }) {
  const [name, setName] = useState('')
  const toast = useToast()
  const creation = useLabelCreation(kind)
  const create = () =>
    creation.mutate(
      { name },
      {
        onSuccess: ({ name: created }) => {
          toast({ text: labelStrings.created(created) })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title={labelStrings.kinds[kind].new}
      action={labelStrings.kinds[kind].create}
      mutation={creation}
      missing={name.trim() === '' ? strings.missing.name : undefined}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        label={labelStrings.name}
        autoComplete="off"
        value={name}
        onText={setName}
        // Too many of them is said of the field of links.
        errors={errorsOf(creation.error, 'name', 'tags', 'folder')}
      />
    </FormDialog>
  )
}
