import { useState } from 'react'
import { hasPasskeySupport } from '../account/passkey.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { useSessionReturn, useSignedIn } from '../use-session.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { CodeForm, PasskeyStep, PasswordStep, signInWith } from './sign-in-page.tsx'

/** A dialog above the page, which keeps everything that was typed. */
export default function SignInAgain() {
  const { user, instance } = useSignedIn()
  const onSignedIn = useSessionReturn()
  const [values, setValues] = useState({ email: user.email, password: '' })
  const [needsCode, setNeedsCode] = useState(false)
  const takesPasskeys = instance.has_passkeys && hasPasskeySupport()
  return (
    <Dialog title={signedOutStrings.ended} onClose={() => {}} isFirm>
      {needsCode ? (
        <CodeForm send={(code) => signInWith(values, code)} onSignedIn={onSignedIn} />
      ) : (
        <>
          <PasswordStep
            values={values}
            onValues={setValues}
            onCodeNeeded={() => setNeedsCode(true)}
            onSignedIn={onSignedIn}
          />
          {takesPasskeys && <PasskeyStep onSignedIn={onSignedIn} />}
          <ProviderButtons hasOr={!takesPasskeys} />
        </>
      )}
    </Dialog>
  )
}
