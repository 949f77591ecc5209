import { useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Form } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const { account: texts } = lazyStrings

export function SecurityTab() {
  const { user, instance } = useSignedIn()
  return (
    <>
      <PasswordCard />
      {user.is_verified ? <TwoFactorCard /> : <Later title={texts.twoFactor} text={texts.confirmFirst} />}
      {!instance.has_passkeys ? (
        <Later title={texts.passkeys} text={texts.passkeysImpossible} />
      ) : user.is_verified ? (
        <PasskeysCard />
      ) : (
        <Later title={texts.passkeys} text={texts.confirmFirst} />
      )}
    </>
  )
}

const Later = ({ title, text }: { title: string; text: string }) => (
  <Card title={title}>
    <p className="soft">{text}</p>
  </Card>
)

function PasswordCard() {
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const change = useAccountChange(
    (input: { password: string; new_password: string }) => ask('POST /account/password', { input }),
    texts.passwordChanged,
  )
  const forget = () => {
    setPassword('')
    setNext('')
  }
  return (
    <Card title={texts.passwordTitle}>
      <Form
        error={change.error}
        onSubmit={() => change.mutate({ password, new_password: next }, { onSuccess: forget })}
      >
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(change.error, 'password')}
        />
        <PasswordField
          label={texts.newPassword}
          hint={texts.passwordHint}
          autoComplete="new-password"
          value={next}
          onText={setNext}
          errors={errorsOf(change.error, 'new_password')}
        />
        <div className="actions">
          <Button type="submit" disabled={password === '' || next === ''} isBusy={change.isPending}>
            {texts.changePassword}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
