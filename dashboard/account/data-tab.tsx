import { Download } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type Account, api } from '../api-client.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { useSessionChange } from '../queries.ts'
import { words } from '../words.ts'

const { account: texts } = words

export function DataTab({ account }: { account: Account }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Card title={texts.export}>
        <div className="form">
          <p className="soft">{texts.exportText}</p>
          <div className="actions">
            <ButtonLink icon={Download} href={api.exportAddress()} download>
              {texts.exportButton}
            </ButtonLink>
          </div>
        </div>
      </Card>
      <Card title={texts.delete} tone="danger">
        <div className="form">
          <p className="soft">{texts.deleteText}</p>
          <div className="actions">
            <Button look="danger" onClick={() => setAsking(true)}>
              {texts.delete}
            </Button>
          </div>
        </div>
      </Card>
      {isAsking && <DeleteDialog email={account.user.email} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Twice sure: the address typed out, and the password. */
function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const formId = useId()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const signedOut = useSessionChange()
  const deletion = useMutation({ mutationFn: api.deleteAccount, onSuccess: signedOut })
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    deletion.mutate({ password })
  }
  return (
    <Dialog
      title={texts.delete}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            look="danger"
            disabled={typed !== email || password === ''}
            isBusy={deletion.isPending}
          >
            {texts.deleteButton}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={confirm} noValidate>
        <FormFailure error={deletion.error} />
        <p>{texts.deleteText}</p>
        <TextField
          label={texts.deleteConfirm(email)}
          autoComplete="off"
          value={typed}
          onText={setTyped}
          autoFocus
        />
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(deletion.error, 'password')}
        />
      </form>
    </Dialog>
  )
}
