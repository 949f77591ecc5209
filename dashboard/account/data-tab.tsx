import { Download } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, EXPORT_URL } from '../api-client.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { errorsOf } from '../components/states.tsx'
import { useToast } from '../components/toasts.tsx'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'

const { account: texts } = lazyStrings

export function DataTab() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Card title={texts.export}>
        <div className="form">
          <p className="soft">{texts.exportText}</p>
          <div className="actions">
            <ButtonLink icon={Download} href={EXPORT_URL} download>
              {texts.exportButton}
            </ButtonLink>
          </div>
        </div>
      </Card>
      <Card title={texts.delete} tone="danger">
        <div className="form">
          <p className="soft">{texts.deleteText}</p>
          <div className="actions">
            <Button variant="danger" onClick={() => setAsking(true)}>
              {texts.delete}
            </Button>
          </div>
        </div>
      </Card>
      {isAsking && <DeleteDialog onClose={() => setAsking(false)} />}
    </>
  )
}

/** Requires the email address to be typed, and the password. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { email } = useSignedIn().user
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const toast = useToast()
  const signedOut = useSessionChange()
  const deletion = useMutation({
    mutationFn: () => ask('DELETE /account', { input: { password } }),
    onSuccess: () => {
      toast({ text: texts.deleted })
      return signedOut()
    },
  })
  return (
    <FormDialog
      title={texts.delete}
      action={texts.deleteButton}
      variant="danger"
      error={deletion.error}
      isBusy={deletion.isPending}
      isDisabled={typed.trim() !== email || password === ''}
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      <TextField
        label={texts.deleteConfirm(email)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onText={setTyped}
        autoFocus
      />
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        value={password}
        onText={setPassword}
        errors={errorsOf(deletion.error, 'password')}
      />
    </FormDialog>
  )
}
