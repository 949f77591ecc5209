import { useState } from 'react'
import { FormDialog } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { errorsOf } from '../parts/states.tsx'
import { laterWords } from '../later-words.ts'
import { useAccountChange } from './account-queries.ts'

type PasswordDialogProps<Answer> = {
  title: string
  text: string
  action: string
  look?: 'primary' | 'danger'
  /** What the password opens. */
  change: (password: string) => Promise<Answer>
  saidAfter?: string
  onDone: (answer: Answer) => void
  onClose: () => void
}

/** Asks for the password once more before what a stranger at an unlocked screen must not do. */
export function PasswordDialog<Answer>(props: PasswordDialogProps<Answer>) {
  const { title, text, action, look = 'primary', saidAfter, onDone, onClose } = props
  const [password, setPassword] = useState('')
  const change = useAccountChange(props.change, saidAfter)
  return (
    <FormDialog
      title={title}
      action={action}
      look={look}
      error={change.error}
      isBusy={change.isPending}
      isDisabled={password === ''}
      onSubmit={() => change.mutate(password, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{text}</p>
      <PasswordField
        label={laterWords.account.password}
        autoComplete="current-password"
        value={password}
        onText={setPassword}
        errors={errorsOf(change.error, 'password')}
        autoFocus
      />
    </FormDialog>
  )
}
