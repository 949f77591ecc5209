import { strings } from '../strings.ts'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Form } from '../components/fields/form.tsx'
import { PasswordField } from '../components/fields/password-field.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { providerStrings } from '../sign-in/provider-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmField, useProof } from './confirm-field.tsx'
import { IdentitiesCard } from './identities-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

export function SecurityTab() {
  const { user, instance } = useSignedIn()
  return (
    <>
      <PasswordCard />
      {user.is_verified ? (
        <TwoFactorCard />
      ) : (
        <Later title={accountStrings.twoFactor} text={accountStrings.confirmFirst} />
      )}
      {!instance.has_passkeys ? (
        <Later title={accountStrings.passkeys} text={accountStrings.passkeysImpossible} />
      ) : user.is_verified ? (
        <PasskeysCard />
      ) : (
        <Later title={accountStrings.passkeys} text={accountStrings.confirmFirst} />
      )}
      {user.is_verified && instance.providers.length > 0 && <IdentitiesCard />}
    </>
  )
}

const Later = ({ title, text }: { title: string; text: string }) => (
  <Card title={title}>
    <p className="soft">{text}</p>
  </Card>
)

function PasswordCard() {
  const { has_password: hasPassword } = useSignedIn().user.security
  const proof = useProof()
  const [next, setNext] = useState('')
  const change = useAccountChange(
    (input: { password: string; new_password: string }) => ask('POST /account/password', { input }),
    hasPassword ? accountStrings.passwordChanged : accountStrings.passwordSet,
  )
  const forget = () => {
    proof.onPassword('')
    setNext('')
  }
  return (
    <Card title={accountStrings.passwordTitle}>
      <Form
        error={change.error}
        onSubmit={() =>
          change.mutate({ password: proof.password, new_password: next }, { onSuccess: forget })
        }
      >
        {!hasPassword && <p className="soft">{providerStrings.noPassword}</p>}
        <ConfirmField proof={proof} error={change.error} />
        <PasswordField
          label={accountStrings.newPassword}
          hint={accountStrings.passwordHint}
          autoComplete="new-password"
          value={next}
          onText={setNext}
          errors={errorsOf(change.error, 'new_password')}
        />
        <div className="actions">
          <Button
            type="submit"
            missing={proof.missing ?? (next === '' ? strings.missing.newPassword : undefined)}
            isBusy={change.isPending}
          >
            {hasPassword ? accountStrings.changePassword : accountStrings.setPassword}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
