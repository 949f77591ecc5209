import { FormDialog } from '../components/fields/form.tsx'
import { useAccountChange } from './account-queries.ts'
import { ConfirmField, useProof } from './confirm-field.tsx'

type ConfirmDialogProps<Answer> = {
  title: string
  text: string
  action: string
  variant?: 'primary' | 'danger'
  /** `password`: '' of a user who has none. */
  change: (password: string) => Promise<Answer>
  saidAfter?: string
  onDone: (answer: Answer) => void
  onClose: () => void
}

/** Asks the user to prove again who they are, in case somebody else is at an unlocked screen. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>) {
  const { title, text, action, variant = 'primary', saidAfter, onDone, onClose } = props
  const proof = useProof()
  const change = useAccountChange(props.change, saidAfter)
  return (
    <FormDialog
      title={title}
      action={action}
      variant={variant}
      mutation={change}
      missing={proof.missing}
      onSubmit={() => change.mutate(proof.password, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{text}</p>
      <ConfirmField proof={proof} error={change.error} autoFocus />
    </FormDialog>
  )
}
