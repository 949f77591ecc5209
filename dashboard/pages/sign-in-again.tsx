import { useState } from 'react'
import { hasPasskeySupport } from '../account/passkey.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { Dialog } from '../components/dialog.tsx'
import { useSessionReturn, useSignedIn } from '../use-session.ts'
import { CodeForm, PasskeyStep, PasswordStep } from './sign-in-page.tsx'

const { signedOut: texts } = lazyStrings

/** A dialog above the page, which keeps everything that was typed. */
export default function SignInAgain() {
  const { user, instance } = useSignedIn()
  const onSignedIn = useSessionReturn()
  const [values, setValues] = useState({ email: user.email, password: '' })
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <Dialog title={texts.ended} onClose={() => {}} isFirm>
      {needsCode ? (
        <CodeForm {...values} onSignedIn={onSignedIn} />
      ) : (
        <>
          <PasswordStep
            values={values}
            onValues={setValues}
            onCodeNeeded={() => setNeedsCode(true)}
            onSignedIn={onSignedIn}
          />
          {instance.has_passkeys && hasPasskeySupport() && <PasskeyStep onSignedIn={onSignedIn} />}
        </>
      )}
    </Dialog>
  )
}
