import { Fingerprint } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { presentPasskey } from '../account/passkey.ts'
import { api } from '../api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { RequestFailure } from '../request.ts'
import { useSession, useSessionChange } from '../queries.ts'
import { words } from '../words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = words

export function SignInPage() {
  useTitle(texts.signIn)
  const { data } = useSession()
  const changed = useSessionChange()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isCodeAsked, setCodeAsked] = useState(false)
  const signIn = useMutation({
    mutationFn: api.signIn,
    onSuccess: ({ data: { needs_code } }) => (needs_code ? setCodeAsked(true) : changed()),
  })
  const passkey = useMutation({
    mutationFn: async () => api.passkeySignIn(await presentPasskey((await api.passkeySignInOptions()).data)),
    onSuccess: changed,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({
      email: email.trim(),
      password,
      ...(isCodeAsked ? { code: code.replaceAll(/\s/g, '') } : {}),
    })
  }
  const host = withoutScheme(data?.instance.base_url ?? '')
  // Leaving the device's own window is no failure worth a sentence.
  const error = signIn.error ?? (passkey.error instanceof RequestFailure ? passkey.error : null)
  return (
    <DoorFrame
      foot={
        data?.instance.signup !== 'closed' && (
          <>
            {texts.noAccount} <Link href="/sign-up">{texts.signUp}</Link>
          </>
        )
      }
    >
      <DoorHead title={texts.signIn} lead={isCodeAsked ? texts.codeLead : texts.signInLead(host)} />
      <form className="form" onSubmit={submit} noValidate>
        <FormFailure error={error} />
        {isCodeAsked ? (
          <TextField
            key="code"
            label={texts.code}
            hint={texts.codeHint}
            autoComplete="one-time-code"
            value={code}
            onText={setCode}
            errors={errorsOf(signIn.error, 'code')}
            autoFocus
          />
        ) : (
          <>
            <TextField
              label={texts.email}
              type="email"
              name="email"
              autoComplete="username webauthn"
              value={email}
              onText={setEmail}
              errors={errorsOf(signIn.error, 'email')}
              autoFocus
            />
            <TextField
              label={texts.password}
              aside={<Link href="/reset">{texts.forgot}</Link>}
              type="password"
              name="password"
              autoComplete="current-password"
              value={password}
              onText={setPassword}
              errors={errorsOf(signIn.error, 'password')}
            />
          </>
        )}
        <Button type="submit" look="primary" size="wide" isBusy={signIn.isPending}>
          {texts.signIn}
        </Button>
      </form>
      {!isCodeAsked && 'PublicKeyCredential' in window && (
        <>
          <div className="or">{texts.or}</div>
          <Button size="wide" icon={Fingerprint} isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
            {texts.passkey}
          </Button>
        </>
      )}
    </DoorFrame>
  )
}
