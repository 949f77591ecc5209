import { useState } from 'react'
import { FormDialog } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { errorsOf } from '../components/states.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useAccountChange } from './account-queries.ts'

type PasswordDialogProps<Answer> = {
  title: string
  text: string
  action: string
  variant?: 'primary' | 'danger'
  change: (password: string) => Promise<Answer>
  saidAfter?: string
  onDone: (answer: Answer) => void
  onClose: () => void
}

/** Asks for the password again, in case somebody else is at an unlocked screen. */
export function PasswordDialog<Answer>(props: PasswordDialogProps<Answer>) {
  const { title, text, action, variant = 'primary', saidAfter, onDone, onClose } = props
  const [password, setPassword] = useState('')
  const change = useAccountChange(props.change, saidAfter)
  return (
    <FormDialog
      title={title}
      action={action}
      variant={variant}
      error={change.error}
      isBusy={change.isPending}
      isDisabled={password === ''}
      onSubmit={() => change.mutate(password, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{text}</p>
      <PasswordField
        label={lazyStrings.account.password}
        autoComplete="current-password"
        value={password}
        onText={setPassword}
        errors={errorsOf(change.error, 'password')}
        autoFocus
      />
    </FormDialog>
  )
}
