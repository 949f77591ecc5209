import { strings } from '../strings.ts'
import { ask } from '../api/api-client.ts'
import { Card } from '../components/card.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { PasswordField } from '../components/fields/field.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { providerStrings } from '../sign-in/provider-strings.ts'
import { ConfirmField, useAccountChange, useProof } from './confirm-field.tsx'
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
  const { values, set, field } = useFields({ new_password: '' })
  const change = useAccountChange(
    () => ask('POST /account/password', { input: { password: proof.password, ...values } }),
    hasPassword ? accountStrings.passwordChanged : accountStrings.passwordSet,
  )
  return (
    <Card title={accountStrings.passwordTitle}>
      <ChangeForm
        change={change}
        action={hasPassword ? accountStrings.changePassword : accountStrings.setPassword}
        missing={proof.missing ?? (values.new_password === '' ? strings.missing.newPassword : undefined)}
        onDone={() => {
          proof.onPassword('')
          set({ new_password: '' })
        }}
      >
        {!hasPassword && <p className="soft">{providerStrings.noPassword}</p>}
        <ConfirmField proof={proof} />
        <PasswordField
          label={accountStrings.newPassword}
          hint={accountStrings.passwordHint}
          autoComplete="new-password"
          {...field('new_password')}
        />
      </ChangeForm>
    </Card>
  )
}
