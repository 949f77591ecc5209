import { strings } from '../strings.ts'
import { useState } from 'react'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { ConfirmField, useProof } from './confirm-field.tsx'

type DeletionDialogProps = {
  texts: { title: string; action: string; text: string; confirm: (name: string) => string }
  /** What has to be typed. */
  name: string
  deletion: { mutate: (password: string) => void; error: Error | null; isPending: boolean }
  onClose: () => void
}

/** Requires the name of what is deleted to be typed, and a proof of who it is. */
export function DeletionDialog({ texts, name, deletion, onClose }: DeletionDialogProps) {
  const [typed, setTyped] = useState('')
  const proof = useProof()
  return (
    <FormDialog
      title={texts.title}
      action={texts.action}
      variant="danger"
      mutation={deletion}
      missing={typed.trim() === name ? proof.missing : strings.missing.typedName}
      onSubmit={() => deletion.mutate(proof.password)}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <TextField
        label={texts.confirm(name)}
        {...VERBATIM}
        value={typed}
        onText={setTyped}
        errors={errorsOf(deletion.error, 'name')}
        autoFocus
      />
      <ConfirmField proof={proof} error={deletion.error} />
    </FormDialog>
  )
}
