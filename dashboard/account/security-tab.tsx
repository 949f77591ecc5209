import { missingStrings } from '../components/fields/missing-strings.ts'
import { ask } from '../api/api-client.ts'
import { Card } from '../components/card.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { PasswordField } from '../components/fields/field.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { providerStrings as texts } from '../sign-in/provider-strings.ts'
import { ConfirmDialog, ConfirmField, useAccountChange, useProof } from './confirm-field.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'
import { IdCard, Link2 } from 'lucide-react'
import { useState } from 'react'
import type { IdentityView, ProviderView } from '../../src/http/endpoints/browser-types.ts'
import { Button } from '../components/button.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { relativeTime } from '../format.ts'
import { leaveForProvider } from '../sign-in/provider-buttons.tsx'
import { useData } from '../api/use-data.ts'
import { RowList } from '../components/row-list.tsx'

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
        missing={proof.missing ?? (values.new_password === '' ? missingStrings.newPassword : undefined)}
        onDone={() => {
          proof.onPassword('')
          set({ new_password: '' })
        }}
      >
        {!hasPassword && <p className="soft">{texts.noPassword}</p>}
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

/** The accounts at providers that the user signs in with. */
function IdentitiesCard() {
  const identities = useData('GET /identities')
  const { data } = identities
  const [unlinking, setUnlinking] = useState<IdentityView>()
  const [linking, setLinking] = useState<ProviderView>()
  if (data === undefined) {
    return (
      <Card title={texts.title} query={identities}>
        <Skeleton width={260} height={42} />
      </Card>
    )
  }
  return (
    <Card title={texts.title}>
      <div className="form">
        <p className="soft">{texts.text}</p>
        {data.identities.length > 0 && (
          <RowList
            label={texts.title}
            icon={IdCard}
            rows={data.identities.map((identity) => ({
              id: identity.issuer,
              name: identity.name,
              hint: texts.lastUsed(identity.email, relativeTime(identity.last_used_at)),
              at: identity.last_used_at,
              action: (
                <Button
                  size="small"
                  variant="danger"
                  aria-label={`${texts.unlink}: ${identity.name}`}
                  onClick={() => setUnlinking(identity)}
                >
                  {texts.unlink}
                </Button>
              ),
            }))}
          />
        )}
        {data.linkable.length > 0 && (
          <div className="actions">
            {data.linkable.map((provider) => (
              <Button key={provider.id} icon={Link2} onClick={() => setLinking(provider)}>
                {texts.link(provider.name)}
              </Button>
            ))}
          </div>
        )}
      </div>
      {linking && <LinkDialog provider={linking} onClose={() => setLinking(undefined)} />}
      {unlinking && <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Card>
  )
}

const LinkDialog = ({ provider: { id, name }, onClose }: { provider: ProviderView; onClose: () => void }) => (
  <ConfirmDialog
    title={texts.link(name)}
    text={texts.linkText(name)}
    action={texts.continueWith(name)}
    change={(password) => ask('POST /identities', { input: { provider: id, password } })}
    onDone={({ data }) => leaveForProvider(data.url, '/account/security')}
    onClose={onClose}
  />
)

type UnlinkDialogProps = { identity: IdentityView; onClose: () => void }

const UnlinkDialog = ({ identity: { issuer, name }, onClose }: UnlinkDialogProps) => (
  <ConfirmDialog
    title={texts.unlinkTitle(name)}
    text={texts.unlinkText}
    action={texts.unlink}
    variant="danger"
    change={(password) => ask('DELETE /identities', { input: { issuer, password } })}
    said={texts.unlinked}
    onClose={onClose}
  />
)
