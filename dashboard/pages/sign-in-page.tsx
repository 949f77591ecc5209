import { Fingerprint } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { deviceRefusal, hasPasskeySupport, presentPasskey } from '../account/passkey.ts'
import { ask } from '../api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { errorsOf, FormFailure, NoticeLine } from '../parts/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = laterWords

/** Who comes here from a page that knows the address brings it along. */
export type SignInState = { email: string }

export default function SignInPage() {
  useTitle(texts.signIn)
  const { instance } = useSession().data!
  const known = useHistoryState<Partial<SignInState> | null>()?.email ?? ''
  const [values, setValues] = useState({ email: known, password: '' })
  const changed = useSessionChange()
  const [isCodeAsked, setCodeAsked] = useState(false)
  if (isCodeAsked) return <CodeStep {...values} onBack={() => setCodeAsked(false)} />
  return (
    <DoorFrame
      foot={
        instance.sign_up === 'open' && (
          <>
            {texts.noAccount} <Link href="/sign-up">{texts.signUp}</Link>
          </>
        )
      }
    >
      <DoorHead title={texts.signIn} lead={texts.signInLead(withoutScheme(instance.base_url))} />
      <PasswordStep
        values={values}
        onValues={setValues}
        onCodeAsked={() => setCodeAsked(true)}
        onSignedIn={changed}
      />
      {instance.has_passkeys && hasPasskeySupport() && <PasskeyStep onSignedIn={changed} />}
    </DoorFrame>
  )
}

type Values = { email: string; password: string }
type SignedIn = { onSignedIn: () => Promise<void> }
type PasswordStepProps = SignedIn & {
  values: Values
  onValues: (values: Values) => void
  onCodeAsked: () => void
}

export function PasswordStep({ values, onValues, onCodeAsked, onSignedIn }: PasswordStepProps) {
  const { email, password } = values
  const signIn = useMutation({
    mutationFn: () => ask('POST /session', { input: { email: email.trim(), password } }),
    onSuccess: ({ data }) => (data.needs_code ? onCodeAsked() : onSignedIn()),
  })
  return (
    <Form error={signIn.error} onSubmit={() => signIn.mutate()}>
      <TextField
        label={texts.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onText={(text) => onValues({ email: text, password })}
        errors={errorsOf(signIn.error, 'email')}
        autoFocus={email === ''}
      />
      <PasswordField
        label={texts.password}
        aside={<Link href="/forgot-password">{texts.forgot}</Link>}
        autoComplete="current-password"
        value={password}
        onText={(text) => onValues({ email, password: text })}
        errors={errorsOf(signIn.error, 'password')}
        autoFocus={email !== ''}
        data-first={email !== '' || undefined}
      />
      <Button type="submit" look="primary" size="wide" isBusy={signIn.isPending}>
        {texts.signIn}
      </Button>
    </Form>
  )
}

/** The same once more, with the code. */
function CodeStep({ onBack, ...values }: Values & { onBack: () => void }) {
  const changed = useSessionChange()
  return (
    <DoorFrame
      foot={
        <button type="button" className="link-button" onClick={onBack}>
          {texts.back}
        </button>
      }
    >
      <DoorHead title={texts.signIn} lead={texts.codeLead} />
      <CodeForm {...values} onSignedIn={changed} />
    </DoorFrame>
  )
}

export function CodeForm({ email, password, onSignedIn }: Values & SignedIn) {
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: () => ask('POST /session', { input: { email: email.trim(), password, code } }),
    onSuccess: onSignedIn,
  })
  return (
    <Form error={signIn.error} onSubmit={() => signIn.mutate()}>
      <TextField
        label={texts.code}
        hint={texts.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        onText={setCode}
        errors={errorsOf(signIn.error, 'code', 'email')}
        autoFocus
      />
      <Button
        type="submit"
        look="primary"
        size="wide"
        disabled={code.trim() === ''}
        isBusy={signIn.isPending}
      >
        {texts.signIn}
      </Button>
    </Form>
  )
}

export function PasskeyStep({ onSignedIn }: SignedIn) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { data: options } = await ask('POST /session/passkey/options')
      return ask('POST /session/passkey', { input: { response: await presentPasskey(options) } })
    },
    onSuccess: onSignedIn,
  })
  const isDeviceRefusal = deviceRefusal(signIn.error) !== undefined
  const faults = errorsOf(signIn.error, 'response')
  return (
    <>
      <div className="or">{texts.or}</div>
      {isDeviceRefusal && <NoticeLine tone="bad">{texts.passkeyRefused}</NoticeLine>}
      {faults && <NoticeLine tone="bad">{faults.join(' ')}</NoticeLine>}
      <FormFailure error={isDeviceRefusal ? null : signIn.error} />
      <Button size="wide" icon={Fingerprint} isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        {texts.passkey}
      </Button>
    </>
  )
}
