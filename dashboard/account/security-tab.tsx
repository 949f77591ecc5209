import { type FormEvent, useState } from 'react'
import { type Account, api } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { words } from '../words.ts'
import { useAccountChange } from './account-queries.ts'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const { account: texts } = words

export const SecurityTab = ({ account }: { account: Account }) => (
  <>
    <PasswordCard />
    <TwoFactorCard twoFactor={account.security.two_factor} />
    <PasskeysCard passkeys={account.security.passkeys} />
  </>
)

function PasswordCard() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useAccountChange(api.changePassword, texts.passwordChanged)
  const save = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(
      { current_password: current, password: next },
      {
        onSuccess: () => {
          setCurrent('')
          setNext('')
        },
      },
    )
  }
  return (
    <Card title={texts.passwordTitle}>
      <form className="form" onSubmit={save} noValidate>
        <FormFailure error={change.error} />
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          value={current}
          onText={setCurrent}
          errors={errorsOf(change.error, 'current_password')}
        />
        <TextField
          label={texts.newPassword}
          hint={texts.passwordHint}
          type="password"
          autoComplete="new-password"
          value={next}
          onText={setNext}
          errors={errorsOf(change.error, 'password')}
        />
        <div className="actions">
          <Button type="submit" disabled={current === '' || next === ''} isBusy={change.isPending}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  )
}
