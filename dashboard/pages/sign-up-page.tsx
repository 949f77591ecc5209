import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { api } from '../api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { useSession, useSessionChange } from '../queries.ts'
import { words } from '../words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { MailSent } from './mail-sent.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = words

const SignInLink = () => (
  <>
    {texts.haveAccount} <Link href="/sign-in">{texts.signIn}</Link>
  </>
)

export default function SignUpPage() {
  useTitle(texts.signUp)
  const { data: session } = useSession()
  const changed = useSessionChange()
  const [parameters] = useSearchParams()
  const [values, setValues] = useState({
    name: '',
    email: '',
    password: '',
    invite: parameters.get('invite') ?? '',
  })
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const signUp = useMutation({
    mutationFn: api.signUp,
    onSuccess: ({ data }) => (data.is_signed_in ? changed() : undefined),
  })
  const instance = session!.instance
  const isFirst = !instance.has_accounts
  if (signUp.isSuccess && !signUp.data.data.is_signed_in) {
    return (
      <MailSent
        text={texts.mailSent(values.email)}
        hasMailServer={instance.mail === 'smtp'}
        onAgain={() => api.sendVerification(values.email)}
      />
    )
  }
  if (instance.signup === 'closed' && !isFirst) {
    return (
      <DoorFrame foot={<SignInLink />}>
        <DoorHead title={texts.closedTitle} lead={texts.closed} />
      </DoorFrame>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { invite, ...rest } = values
    signUp.mutate({
      ...rest,
      name: values.name.trim(),
      email: values.email.trim(),
      ...(instance.signup === 'invite' && !isFirst ? { invite: invite.trim() } : {}),
    })
  }
  return (
    <DoorFrame foot={isFirst ? null : <SignInLink />}>
      <DoorHead
        title={isFirst ? texts.firstTitle : texts.signUpTitle}
        lead={isFirst ? texts.firstLead : texts.signInLead(withoutScheme(instance.base_url))}
      />
      <form className="form" onSubmit={submit} noValidate>
        <FormFailure error={signUp.error} />
        <TextField
          label={texts.name}
          autoComplete="name"
          value={values.name}
          onText={(name) => set({ name })}
          errors={errorsOf(signUp.error, 'name')}
          autoFocus
        />
        <TextField
          label={texts.email}
          type="email"
          autoComplete="email"
          value={values.email}
          onText={(email) => set({ email })}
          errors={errorsOf(signUp.error, 'email')}
        />
        <TextField
          label={texts.password}
          hint={texts.passwordHint}
          type="password"
          autoComplete="new-password"
          value={values.password}
          onText={(password) => set({ password })}
          errors={errorsOf(signUp.error, 'password')}
        />
        {instance.signup === 'invite' && !isFirst && (
          <TextField
            label={texts.invite}
            autoComplete="off"
            value={values.invite}
            onText={(invite) => set({ invite })}
            errors={errorsOf(signUp.error, 'invite')}
          />
        )}
        <Button type="submit" look="primary" size="wide" isBusy={signUp.isPending}>
          {texts.createAccount}
        </Button>
      </form>
    </DoorFrame>
  )
}
