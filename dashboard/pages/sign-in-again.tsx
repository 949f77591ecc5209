import { useState } from 'react'
import { hasPasskeySupport } from '../account/passkey.ts'
import { laterWords } from '../later-words.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSessionReturn, useSignedIn } from '../use-session.ts'
import { CodeForm, PasskeyStep, PasswordStep } from './sign-in-page.tsx'

const { doors: texts } = laterWords

/** Above the page as it was left: what was typed there stays. */
export default function SignInAgain() {
  const { user, instance } = useSignedIn()
  const onSignedIn = useSessionReturn()
  const [values, setValues] = useState({ email: user.email, password: '' })
  const [isCodeAsked, setCodeAsked] = useState(false)
  return (
    <Dialog title={texts.ended} onClose={() => {}} isFirm>
      {isCodeAsked ? (
        <CodeForm {...values} onSignedIn={onSignedIn} />
      ) : (
        <>
          <PasswordStep
            values={values}
            onValues={setValues}
            onCodeAsked={() => setCodeAsked(true)}
            onSignedIn={onSignedIn}
          />
          {instance.has_passkeys && hasPasskeySupport() && <PasskeyStep onSignedIn={onSignedIn} />}
        </>
      )}
    </Dialog>
  )
}
